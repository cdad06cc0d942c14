import { checkAppend } from '../../application/ports/append-check.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import { revisionBefore } from '../../application/ports/revision-check.ts';
import { appendWith } from './append.ts';
import { createStreamReads, type StoreDeps } from './stream-reads.ts';

export const createEventStoreDbStore = (deps: StoreDeps): EventStore => {
  const { readStream, readBack, noted } = createStreamReads(deps);
  return {
    append: async (stream, expected, events) => {
      const checked = checkAppend(stream, events);
      const after = revisionBefore(stream, expected, events.length);
      const result = await appendWith({ ...deps, readBack }, { stream, expected, after, events: checked });
      noted(stream, result);
      deps.tail.appended(result.position);
      return result;
    },
    readStream,
  };
};

import { checkAppend, revisionBefore } from '../../application/ports/event-checks.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import { appendWith } from './append.ts';
import { createStreamReads, type StoreDeps } from './stream-reads.ts';

export const createEventStoreDbStore = (deps: StoreDeps): EventStore => {
  const { readStream, readBack, noted } = createStreamReads(deps);
  return {
    append: async (stream, expected, events) => {
      const checked = checkAppend(stream, events);
      const after = revisionBefore(stream, expected, events.length);
      const append = { stream, expected, after, events: checked };
      const { node, ...result } = await appendWith({ ...deps, readBack }, append);
      noted(stream, result);
      deps.tail.told({ position: result.position, node });
      return result;
    },
    readStream,
  };
};

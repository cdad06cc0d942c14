import { checkAppend } from '../../application/ports/append-check.ts';
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts';
import { appendWith } from './append.ts';
import type { Connection } from './connection.ts';
import type { LogTail } from './log-tail.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { recordOf, toEvent } from './records.ts';
import { streamRequest } from './requests.ts';

export const createEventStoreDbStore = (deps: {
  readonly connection: Connection;
  readonly patience: Patience;
  /** Of the feed of this process, whose readers then need not wait for the server's hint. */
  readonly tail: Pick<LogTail, 'appended'>;
}): EventStore => {
  const { connection, patience, tail } = deps;

  const read = async (stream: string, from: bigint, limit?: number): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    const request = streamRequest(stream, { from, ...(limit !== undefined && { limit }) });
    for await (const frame of connection.read(request, { deadlineMs: patience.callMs })) {
      const record = recordOf(frame);
      const event = record === undefined ? null : toEvent(record);
      if (event !== null) events.push(event);
    }
    return events;
  };
  const readStream: EventStore['readStream'] = async (stream, from = 0n, limit) =>
    limit !== undefined && limit <= 0 ? [] : patiently(patience, () => read(stream, from, limit));

  return {
    append: async (stream, expected, events) => {
      const checked = checkAppend(stream, events);
      const result = await appendWith(
        { connection, patience, readBack: readStream },
        { stream, expected, events: checked },
      );
      tail.appended(result.position);
      return result;
    },
    readStream,
  };
};

import { matchesFilter } from '../../application/ports/event-checks.ts';
import type { EventFilter, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import type { Connection, ReadLimits } from './connection.ts';
import { fromPosition } from './positions.ts';
import { placeOf, toEvent } from './records.ts';
import { logRequest } from './requests.ts';
import { serverFilter } from './server-filter.ts';
import type { Frame } from './wire/read-responses.ts';

export interface Found {
  readonly events: readonly RecordedEvent[];
  /** Place of the last record that came by, whether it matched or not. */
  readonly seen: Position;
  /** As many came as were asked for, so that others may follow. */
  readonly more: boolean;
}

/** One call that reads the log forwards, page by page: the server sends the next one while one is looked at. */
export interface Reading {
  readonly next: (limit: number) => Promise<Found>;
  readonly close: () => Promise<void>;
}

/** Behind `after`; the server begins with the record at the position itself. */
export const readLog = (
  connection: Connection,
  { after, filter }: { readonly after: Position; readonly filter: EventFilter },
  limits: ReadLimits,
): Reading => {
  const coming = connection.read(logRequest(fromPosition(after), serverFilter(filter)), limits);
  let frames: readonly Frame[] = [];
  let [at, seen] = [0, after];

  const matching = ({ record }: Frame): RecordedEvent | null => {
    if (record === null) return null;
    const place = placeOf(record);
    if (place <= after) return null;
    seen = place;
    const event = toEvent(record, place);
    return event !== null && matchesFilter(filter, event) ? event : null;
  };

  return {
    next: async (limit) => {
      const events: RecordedEvent[] = [];
      for (;;) {
        while (at < frames.length) {
          const event = matching(frames[at]!);
          at += 1;
          if (event === null) continue;
          events.push(event);
          if (events.length >= limit) return { events, seen, more: true };
        }
        const come = await coming.next();
        if (come.done) return { events, seen, more: false };
        [frames, at] = [come.value, 0];
      }
    },
    close: async () => void (await coming.return()),
  };
};

import { matchesFilter } from '../../application/ports/event-checks.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type { EventFilter, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { BYTES_PER_MS, failureOfRead, type Wanted } from './pages.ts';
import type { Patience } from './patience.ts';
import { bytesBetween, fromPosition } from './positions.ts';
import { placeOf, toEvent } from './records.ts';
import { logBackRequest, streamRequest } from './requests.ts';
import { matchesNothing, serverFilter } from './server-filter.ts';

/**
 * The last matching events before `after`, newest first; `after` is exclusive, and BEGINNING is the end of the log.
 *
 * @throws DomainError invalid_cursor when the server knows no such place; StreamDeleted
 */
export const readPageBack = async (
  connection: Connection,
  { callMs }: Patience,
  { after: before, end, filter, limit }: Omit<Wanted, 'signal'>,
): Promise<readonly RecordedEvent[]> => {
  if (limit <= 0 || matchesNothing(filter)) return [];
  const silenceMs = callMs + bytesBetween(BEGINNING, end.position) / BYTES_PER_MS;
  const request =
    filter.stream === undefined
      ? logBackRequest(fromPosition(before), serverFilter(filter))
      : streamRequest(filter.stream, { from: 'end' });
  try {
    return await matching(connection.read(request, { silenceMs }), before, filter, limit);
  } catch (error) {
    throw failureOfRead(before, filter.stream, error);
  }
};

const matching = async (
  frames: ReturnType<Connection['read']>,
  before: Position,
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const some of frames) {
    for (const { record } of some) {
      if (record === null || (before !== BEGINNING && placeOf(record) >= before)) continue;
      const event = toEvent(record);
      if (event === null || !matchesFilter(filter, event)) continue;
      events.push(event);
      if (events.length >= limit) return events;
    }
  }
  return events;
};

import { matchesFilter } from '../../application/ports/event-filter.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type { EventFilter, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import type { Connection } from './connection.ts';
import { failureOf, movedOn } from './failures.ts';
import type { LogEnd } from './log-tail.ts';
import type { Patience } from './patience.ts';
import { bytesBetween, fromPosition, later, notAPosition } from './positions.ts';
import { placeOf, recordOf, toEvent } from './records.ts';
import { logRequest, streamRequest } from './requests.ts';
import { matchesNothing, serverFilter } from './server-filter.ts';

export interface Page {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was given or does not match; at or behind the last event. */
  readonly position: Position;
}

export interface Wanted {
  /** Exclusive. */
  readonly after: Position;
  /** Asked for before: a reading on the same node that finds no more has seen everything up to it. */
  readonly end: LogEnd;
  readonly filter: EventFilter;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** What a server reads at the very least, so that the time for a reading grows with its stretch. */
export const BYTES_PER_MS = 4_000;

/**
 * The first matching events behind `after`, in order. Fewer than `limit` are the last.
 *
 * @throws DomainError invalid_cursor when no record begins at `after`
 */
export const readPage = async (
  connection: Connection,
  { callMs }: Patience,
  { after, end, filter, limit, signal }: Wanted,
): Promise<Page> => {
  if (limit <= 0) return { events: [], position: after };
  const { position: head, node } = end;
  if (after >= head || matchesNothing(filter)) return { events: [], position: later(after, head) };
  const deadlineMs = callMs + bytesBetween(after, head) / BYTES_PER_MS;
  const onNode = (answering: object): void => {
    if (answering !== node) throw movedOn();
  };
  const limits = { deadlineMs, signal, onNode };
  const { stream } = filter;
  try {
    const found =
      stream === undefined
        ? await fromLog(connection, { after, filter, limit }, limits)
        : await fromStream(connection, { after, filter, limit, stream }, limits);
    const delivered = found.events.at(-1)?.position ?? after;
    return found.more
      ? { events: found.events, position: delivered }
      : { events: found.events, position: later(head, found.seen) };
  } catch (error) {
    if (failureOf(error).kind === 'bad_position') throw notAPosition(after);
    throw error;
  }
};

interface Found {
  readonly events: readonly RecordedEvent[];
  /** Place of the last record that came by, whether it matched or not. */
  readonly seen: Position;
  /** `limit` was reached, so that others may follow. */
  readonly more: boolean;
}
type Query = Pick<Wanted, 'after' | 'filter' | 'limit'>;
type Limits = Parameters<Connection['read']>[1];

/** Reads of the log begin with the record at the position itself. */
const fromLog = async (
  connection: Connection,
  { after, filter, limit }: Query,
  limits: Limits,
): Promise<Found> => {
  const events: RecordedEvent[] = [];
  let seen = after;
  for await (const frame of connection.read(logRequest(fromPosition(after), serverFilter(filter)), limits)) {
    const record = recordOf(frame);
    if (record === undefined) continue;
    const place = placeOf(record);
    if (place <= after) continue;
    seen = place;
    const event = toEvent(record);
    if (event === null || !matchesFilter(filter, event)) continue;
    events.push(event);
    if (events.length >= limit) return { events, seen, more: true };
  }
  return { events, seen, more: false };
};

/**
 * One stream is not looked for in the log: it is read itself. From the beginning forwards; else backwards until what
 * is known, which for a follower is the last event or two.
 */
const fromStream = async (
  connection: Connection,
  { after, filter, limit, stream }: Query & { readonly stream: string },
  limits: Limits,
): Promise<Found> => {
  const forwards = after === BEGINNING;
  const events: RecordedEvent[] = [];
  let seen = after;
  const request = streamRequest(stream, { from: forwards ? 0n : 'end' });
  for await (const frame of connection.read(request, limits)) {
    const record = recordOf(frame);
    if (record === undefined) continue;
    const place = placeOf(record);
    if (place <= after) break;
    seen = later(seen, place);
    const event = toEvent(record);
    if (event !== null && matchesFilter(filter, event)) events.push(event);
    if (forwards && events.length >= limit) break;
  }
  if (!forwards) events.reverse();
  return { events: events.slice(0, limit), seen, more: events.length >= limit };
};

import { matchesFilter } from '../../application/ports/event-checks.ts';
import { BEGINNING, StreamDeleted } from '../../application/ports/event-store.ts';
import type { EventFilter, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import type { Connection, ReadLimits } from './connection.ts';
import { failureOf, movedOn } from './failures.ts';
import type { LogEnd } from './log-end.ts';
import type { Patience } from './patience.ts';
import { bytesBetween, failureAt, later } from './positions.ts';
import { placeOf, toEvent } from './records.ts';
import { type Found, type Reading, readLog } from './reading.ts';
import { streamRequest } from './requests.ts';
import { matchesNothing } from './server-filter.ts';

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

/** Pages of one reader, each behind the one before as a rule: the call of one is then gone on with for the next. */
export interface Pages {
  /**
   * The first matching events behind `after`, in order. Fewer than `limit` are the last.
   *
   * @throws DomainError invalid_cursor when no record begins at `after`; StreamDeleted
   */
  readonly read: (wanted: Wanted) => Promise<Page>;
  /** Ends a call that is open. */
  readonly close: () => Promise<void>;
}

export const createPages = (connection: Connection, { callMs }: Patience): Pages => {
  /** Where it stands, and up to which end it was begun to read. */
  let open: { readonly reading: Reading; readonly at: Position; readonly end: LogEnd } | null = null;
  const close = async (): Promise<void> => {
    const left = open;
    open = null;
    await left?.reading.close();
  };
  const fromLog = async ({ after, end, filter, limit }: Wanted, limits: ReadLimits): Promise<Found> => {
    if (open?.at !== after || open.end !== end) await close();
    const { reading } = open ?? { reading: readLog(connection, { after, filter }, limits) };
    open = null;
    const found = await reading.next(limit);
    if (found.more) open = { reading, at: found.events.at(-1)!.position, end };
    else await reading.close();
    return found;
  };

  return {
    read: async (wanted) => {
      const { after, end, filter, limit, signal } = wanted;
      if (limit <= 0) return { events: [], position: after };
      const { position: head, node } = end;
      if (after >= head || matchesNothing(filter)) return { events: [], position: later(after, head) };
      const silenceMs = callMs + bytesBetween(after, head) / BYTES_PER_MS;
      const onNode = (answering: object): void => {
        if (answering !== node) throw movedOn();
      };
      const limits = { silenceMs, signal, onNode };
      const { stream } = filter;
      try {
        const found =
          stream === undefined
            ? await fromLog(wanted, limits)
            : await fromStream(connection, { after, filter, limit, stream }, limits);
        const delivered = found.events.at(-1)?.position ?? after;
        return found.more
          ? { events: found.events, position: delivered }
          : { events: found.events, position: later(head, found.seen) };
      } catch (error) {
        throw failureOfRead(after, stream, error);
      }
    },
    close,
  };
};

/** In the words of the port, where it has any. */
export const failureOfRead = (from: Position, stream: string | undefined, error: unknown): unknown =>
  stream !== undefined && failureOf(error).kind === 'deleted'
    ? new StreamDeleted(stream, { cause: error })
    : failureAt(from, error);

type Query = Pick<Wanted, 'after' | 'filter' | 'limit'>;

/**
 * One stream is not looked for in the log: it is read itself. From the beginning forwards; else backwards until what
 * is known, which for a follower is the last event or two.
 */
const fromStream = async (
  connection: Connection,
  { after, filter, limit, stream }: Query & { readonly stream: string },
  limits: ReadLimits,
): Promise<Found> => {
  const forwards = after === BEGINNING;
  const events: RecordedEvent[] = [];
  let seen = after;
  const request = streamRequest(stream, { from: forwards ? 0n : 'end' });
  reading: for await (const frames of connection.read(request, limits)) {
    for (const { record } of frames) {
      if (record === null) continue;
      const place = placeOf(record);
      if (place <= after) break reading;
      seen = later(seen, place);
      const event = toEvent(record);
      if (event !== null && matchesFilter(filter, event)) events.push(event);
      if (forwards && events.length >= limit) break reading;
    }
  }
  if (!forwards) events.reverse();
  return { events: events.slice(0, limit), seen, more: events.length >= limit };
};

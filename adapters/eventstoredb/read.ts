import { matchesFilter } from '../../application/ports/event-checks.ts';
import {
  BEGINNING,
  type EventFilter,
  type Position,
  type RecordedEvent,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import type { LogEnd as End } from '../event-feed/follow.ts';
import type { Connection, ReadLimits } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { failureOf, leaderChanged } from './errors.ts';
import type { ReadMessage } from './messages.ts';
import { logBackRequest, logRequest, matchesNothing, newestRequest, streamRequest } from './read-requests.ts';
import { bytesBetween, fromPosition, laterOf, notAPosition, positionOf, toEvent } from './records.ts';

/** The position of the newest record, including the server's own. */
export interface LogEnd extends End {
  /** The node that reported it. Another node may not show as much yet, not even as the new leader. */
  readonly node: object | null;
}

/** Asks the node that responds now. Fails after `idleTimeoutMs` without a message. */
export const endOf = async (connection: Connection, idleTimeoutMs: number): Promise<LogEnd> => {
  let node: object | null = null;
  const onNode = (answering: object): void => void (node = answering);
  let position = BEGINNING;
  // Read to its end, which comes at once: leaving a call early is an error to both sides, and costs more.
  for await (const messages of connection.read(newestRequest(), { idleTimeoutMs, onNode })) {
    for (const { record } of messages) if (record !== null) position = positionOf(record);
  }
  return { position, node };
};

export interface Page {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was returned or does not match; at or after the last event. */
  readonly position: Position;
}

export interface PageQuery {
  /** Exclusive. */
  readonly after: Position;
  /** Asked for before: a read on the same node that finds no more events has seen everything up to it. */
  readonly end: LogEnd;
  readonly filter: EventFilter;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Reads pages. If a page starts where the previous one ended, the reader continues the same call. */
export interface LogReader {
  /**
   * Returns the first matching events after `after`, in order. Fewer than `limit` means no more follow.
   *
   * @throws DomainError invalid_cursor when no record begins at `after`; StreamDeleted
   */
  readonly read: (query: PageQuery) => Promise<Page>;
  /** Ends an open call. */
  readonly close: () => Promise<void>;
}

/** Lower bound of a server's read speed, so that the time limit of a read grows with its range. */
const BYTES_PER_MS = 4_000;

export const createLogReader = (connection: Connection, { callMs }: Deadlines): LogReader => {
  /** The open call, its position, and the end with which it was started. */
  let open: { readonly scan: LogScan; readonly at: Position; readonly end: LogEnd } | null = null;
  const close = async (): Promise<void> => {
    const left = open;
    open = null;
    await left?.scan.close();
  };
  const readLog = async (query: PageQuery, limits: ReadLimits): Promise<ScanResult> => {
    const { after, end } = query;
    if (open?.at !== after || open.end !== end) await close();
    const scan = open?.scan ?? scanLog(connection, query, limits);
    open = null;
    const found = await scan.next(query.limit);
    if (found.more) open = { scan, at: found.events.at(-1)!.position, end };
    else await scan.close();
    return found;
  };

  return {
    read: async (query) => {
      const { after, end, filter, limit, signal } = query;
      if (limit <= 0) return { events: [], position: after };
      const { position: head, node } = end;
      if (after >= head || matchesNothing(filter)) return { events: [], position: laterOf(after, head) };
      const idleTimeoutMs = callMs + bytesBetween(after, head) / BYTES_PER_MS;
      const onNode = (answering: object): void => {
        if (answering !== node) throw leaderChanged();
      };
      const limits = { idleTimeoutMs, signal, onNode };
      const { stream } = filter;
      try {
        const { events, seen, more } =
          stream === undefined
            ? await readLog(query, limits)
            : await readStream(connection, { ...query, stream }, limits);
        return { events, position: more ? (events.at(-1)?.position ?? after) : laterOf(head, seen) };
      } catch (error) {
        throw readError(after, stream, error);
      }
    },
    close,
  };
};

/**
 * The last matching events before `before` (exclusive; BEGINNING means from the end), newest first.
 *
 * @throws DomainError invalid_cursor when the server knows no such position; StreamDeleted
 */
export const readBackwards = async (
  connection: Connection,
  { callMs }: Deadlines,
  { before, end, filter, limit }: Pick<PageQuery, 'end' | 'filter' | 'limit'> & { readonly before: Position },
): Promise<readonly RecordedEvent[]> => {
  if (limit <= 0 || matchesNothing(filter)) return [];
  const idleTimeoutMs = callMs + bytesBetween(BEGINNING, end.position) / BYTES_PER_MS;
  const request =
    filter.stream === undefined
      ? logBackRequest(fromPosition(before), filter)
      : streamRequest(filter.stream, { from: 'end' });
  const events: RecordedEvent[] = [];
  try {
    for await (const messages of connection.read(request, { idleTimeoutMs })) {
      for (const { record } of messages) {
        if (record === null || (before !== BEGINNING && positionOf(record) >= before)) continue;
        const event = toEvent(record);
        if (event === null || !matchesFilter(filter, event)) continue;
        events.push(event);
        if (events.length >= limit) return events;
      }
    }
    return events;
  } catch (error) {
    throw readError(before, filter.stream, error);
  }
};

interface ScanResult {
  readonly events: readonly RecordedEvent[];
  /** Position of the last record that was read, whether it matched or not. */
  readonly seen: Position;
  /** `limit` events were found, so more may follow. */
  readonly more: boolean;
}

/**
 * One call that reads the log forwards, page by page: the server sends the next page while one is processed.
 */
interface LogScan {
  readonly next: (limit: number) => Promise<ScanResult>;
  readonly close: () => Promise<void>;
}

/** The server includes the record at `after`. */
const scanLog = (
  connection: Connection,
  { after, filter }: Pick<PageQuery, 'after' | 'filter'>,
  limits: ReadLimits,
): LogScan => {
  const response = connection.read(logRequest(fromPosition(after), filter), limits);
  let messages: readonly ReadMessage[] = [];
  let [at, seen] = [0, after];

  const matching = ({ record }: ReadMessage): RecordedEvent | null => {
    if (record === null) return null;
    const position = positionOf(record);
    if (position <= after) return null;
    seen = position;
    const event = toEvent(record, position);
    return event !== null && matchesFilter(filter, event) ? event : null;
  };

  return {
    next: async (limit) => {
      const events: RecordedEvent[] = [];
      for (;;) {
        while (at < messages.length) {
          const event = matching(messages[at]!);
          at += 1;
          if (event === null) continue;
          events.push(event);
          if (events.length >= limit) return { events, seen, more: true };
        }
        const next = await response.next();
        if (next.done) return { events, seen, more: false };
        [messages, at] = [next.value, 0];
      }
    },
    close: async () => void (await response.return()),
  };
};

/**
 * Reads one stream directly instead of searching the log: forwards from the beginning, or else backwards down
 * to `after`, which for a follower takes an event or two.
 */
const readStream = async (
  connection: Connection,
  { after, filter, limit, stream }: PageQuery & { readonly stream: string },
  limits: ReadLimits,
): Promise<ScanResult> => {
  const forwards = after === BEGINNING;
  const events: RecordedEvent[] = [];
  let seen = after;
  const request = streamRequest(stream, { from: forwards ? 0n : 'end' });
  reading: for await (const messages of connection.read(request, limits)) {
    for (const { record } of messages) {
      if (record === null) continue;
      const position = positionOf(record);
      if (position <= after) break reading;
      seen = laterOf(seen, position);
      const event = toEvent(record);
      if (event !== null && matchesFilter(filter, event)) events.push(event);
      if (forwards && events.length >= limit) break reading;
    }
  }
  if (!forwards) events.reverse();
  return { events: events.slice(0, limit), seen, more: events.length >= limit };
};

/**
 * Translates an error to the port's errors where one fits. A server rejects a commit position at which no
 * record begins, and fails on a prepare position that does not belong to its commit; in today's records both
 * are equal.
 */
const readError = (from: Position, stream: string | undefined, error: unknown): unknown => {
  const { kind, serverFailed } = failureOf(error);
  if (stream !== undefined && kind === 'deleted') return new StreamDeleted(stream, { cause: error });
  const position = kind === 'bad_position' || serverFailed === true ? fromPosition(from) : null;
  if (position === null) return error;
  return kind === 'bad_position' || position.commit !== position.prepare ? notAPosition(from) : error;
};

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { matchesFilter } from '../../application/ports/event-checks.ts';
import {
  BEGINNING,
  type EventFilter,
  type EventPage,
  type Position,
  type RecordedEvent,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import type { LogEnd as End } from '../event-feed/follow.ts';
import type { Connection, ReadLimits } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { failureOf, leaderChanged } from './errors.ts';
import type { ReadMessage } from './messages.ts';
import { checkPosition, revisionAfter } from './seek.ts';
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

export type Page = Omit<EventPage, 'more'>;

export interface PageQuery {
  /** Exclusive. */
  readonly after: Position;
  /** Asked for before: a read on the same node that finds no more events has seen everything up to it. */
  readonly end: LogEnd;
  readonly filter: EventFilter;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads pages, of one filter for each reader. If a page starts where the previous one ended, the reader
 * continues the same call; of a stream it begins behind what it has read.
 */
export interface LogReader {
  /**
   * Returns the first matching events after `after`, in order. No more follow if its position is the end or later.
   *
   * @throws DomainError invalid_cursor when no record begins at `after`; StreamDeleted
   */
  readonly read: (query: PageQuery) => Promise<Page>;
  /** Ends an open call. */
  readonly close: () => Promise<void>;
}

/** Records that a read passes over before it answers what it has. */
const MAX_PASSED = 10_000;

/** Lower bound of a server's read speed, so that the time limit of a read grows with its range. */
const BYTES_PER_MS = 4_000;

export const createLogReader = (connection: Connection, { callMs }: Deadlines): LogReader => {
  /** The open call, its position, and the end with which it was started. */
  let open: { readonly scan: LogScan; readonly at: Position; readonly end: LogEnd } | null = null;
  /** The log has a record at the reader's first position, and so at those that it returns. */
  let isChecked = false;
  /** Of a stream: the first revision whose event may be after the position. */
  let known: { readonly revision: bigint; readonly position: Position } | null = null;
  const close = async (): Promise<void> => {
    const left = open;
    open = null;
    await left?.scan.close();
  };
  const start = async ({ after, filter }: PageQuery, limits: ReadLimits): Promise<LogScan> => {
    const { stream } = filter;
    if (stream === undefined) {
      if (after !== BEGINNING && !isChecked) await checkPosition(connection, after, limits);
      isChecked = true;
      return scanLog(connection, logRequest(fromPosition(after), filter), { after, filter, limits });
    }
    if (known === null || known.position > after) {
      known = { revision: await revisionAfter(connection, stream, after, limits), position: after };
    }
    return scanLog(connection, streamRequest(stream, { from: known.revision }), { after, filter, limits });
  };
  const readLog = async (query: PageQuery, limits: ReadLimits): Promise<ScanResult> => {
    const { after, end } = query;
    if (open?.at !== after || open.end !== end) await close();
    const scan = open?.scan ?? (await start(query, limits));
    open = null;
    const found = await scan.next(query.limit);
    const { seen, more } = found;
    if (seen.revision !== null) known = { revision: seen.revision + 1n, position: seen.position };
    if (more) open = { scan, at: seen.position, end };
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
      try {
        const { events, seen, more } = await readLog(query, { idleTimeoutMs, signal, onNode });
        const position = more ? seen.position : laterOf(head, seen.position);
        return { events, position };
      } catch (error) {
        throw readError(after, filter.stream, error);
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
): Promise<EventPage> => {
  if (limit <= 0 || matchesNothing(filter)) return { events: [], position: before, more: false };
  const limits = { idleTimeoutMs: callMs + bytesBetween(BEGINNING, end.position) / BYTES_PER_MS };
  const { stream } = filter;
  const events: RecordedEvent[] = [];
  let passed = 0;
  try {
    const request =
      stream === undefined
        ? logBackRequest(fromPosition(before), filter)
        : await streamBackRequest(connection, stream, { before, end }, limits);
    for await (const messages of connection.read(request, limits)) {
      for (const { record } of messages) {
        if (record === null) continue;
        const position = positionOf(record);
        if (before !== BEGINNING && position >= before) continue;
        passed += 1;
        const event = toEvent(record, position);
        if (event !== null && matchesFilter(filter, event)) events.push(event);
        if (events.length >= limit || (stream === undefined && passed >= MAX_PASSED))
          return { events, position, more: true };
      }
    }
    return { events, position: BEGINNING, more: false };
  } catch (error) {
    throw readError(before, filter.stream, error);
  }
};

const streamBackRequest = async (
  connection: Connection,
  stream: string,
  { before, end }: { readonly before: Position; readonly end: LogEnd },
  limits: ReadLimits,
): Promise<ReadReq> => {
  if (before === BEGINNING || before > end.position) return streamRequest(stream, { from: 'end' });
  // That of an event at `before`, which the reader leaves out, or of the last one before it.
  const revision = (await revisionAfter(connection, stream, before, limits)) - 1n;
  return streamRequest(stream, { from: revision < 0n ? 0n : revision, backwards: true });
};

interface ScanResult {
  readonly events: readonly RecordedEvent[];
  /** The last record that was read, whether it matched or not; no revision: there was none. */
  readonly seen: { readonly position: Position; readonly revision: bigint | null };
  /** `limit` events were found, or many passed over, so more may follow. */
  readonly more: boolean;
}

/**
 * One call that reads the log forwards, page by page: the server sends the next page while one is processed.
 */
interface LogScan {
  readonly next: (limit: number) => Promise<ScanResult>;
  readonly close: () => Promise<void>;
}

/** Passes over records at or before `after`, which the response may begin with. */
const scanLog = (
  connection: Connection,
  request: ReadReq,
  { after, filter, limits }: Pick<PageQuery, 'after' | 'filter'> & { readonly limits: ReadLimits },
): LogScan => {
  const response = connection.read(request, limits);
  let messages: readonly ReadMessage[] = [];
  let at = 0;
  let seen: ScanResult['seen'] = { position: after, revision: null };

  const matching = ({ record }: ReadMessage): RecordedEvent | null => {
    if (record === null) return null;
    const position = positionOf(record);
    if (position <= after) return null;
    seen = { position, revision: record.revision };
    const event = toEvent(record, position);
    return event !== null && matchesFilter(filter, event) ? event : null;
  };

  return {
    next: async (limit) => {
      const events: RecordedEvent[] = [];
      let passed = 0;
      for (;;) {
        while (at < messages.length) {
          const event = matching(messages[at]!);
          at += 1;
          if (event !== null) events.push(event);
          else if (filter.stream === undefined && seen.position > after) passed += 1;
          if (events.length >= limit || passed >= MAX_PASSED) return { events, seen, more: true };
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

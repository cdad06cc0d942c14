import { createRecentlyUsed } from '../../application/event-sourcing/recently-used.ts';
import {
  checkAppend,
  revisionBefore,
  revisionFrom,
  withoutGap,
} from '../../application/ports/event-checks.ts';
import {
  type AppendResult,
  type EventStore,
  ForeignEvent,
  type JsonObject,
  type RecordedEvent,
  StreamCut,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import { appendWithRetries } from './append.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, withRetries } from './deadlines.ts';
import { failureOf, NodeLagsBehind } from './errors.ts';
import type { LogTail } from './log-tail.ts';
import { streamRequest } from './read-requests.ts';
import { jsonObject, toEvent } from './records.ts';

export interface StoreDeps {
  readonly connection: Connection;
  /** See `createEventStoreDb`; reads through `connection` add it themselves. */
  readonly prefix: string;
  readonly deadlines: Deadlines;
  /** The tail of this process's feed: its followers need not wait for the server. */
  readonly tail: Pick<LogTail, 'acknowledged' | 'observed'>;
}

/** Events of a stream per call: a failure costs at most reading them again. */
const PAGE = 2_000;
const MAX_WATERMARKS = 10_000;

export const createEventStoreDbStore = (deps: StoreDeps): EventStore => {
  const { connection, deadlines, tail } = deps;
  /**
   * The last revision of each stream that this process has appended or read. A leader that was deposed while
   * it was frozen briefly continues to answer as the leader and shows less than others have acknowledged. So
   * does a restored log.
   */
  const watermarks = createRecentlyUsed<bigint>(MAX_WATERMARKS);
  const watermarkOf = (stream: string): bigint => watermarks.get(stream) ?? -1n;
  const observed = (stream: string, { revision, position }: AppendResult): void => {
    if (revision > watermarkOf(stream)) watermarks.put(stream, revision);
    tail.observed(position);
  };
  /** Rejects a page that ends before the watermark, and one of a stream that was cut. */
  const readPage = async (stream: string, from: bigint, limit: number): Promise<readonly RecordedEvent[]> => {
    // Read before the call: an append of this process may be acknowledged while the call runs.
    const watermark = watermarkOf(stream);
    const { events, node } = await pageOf(deps, stream, from, limit);
    const last = events.at(-1);
    const lastRevision = last?.revision ?? from - 1n;
    const showsLess = events.length < limit && lastRevision < watermark && from <= watermark;
    // To its readers, a stream that was cut to nothing is one that never existed.
    if (last === undefined && (showsLess || from === 0n) && (await isCut(deps, stream))) {
      throw new StreamCut(stream, lastRevision + 1n);
    }
    if (showsLess) {
      connection.invalidate(node);
      throw new NodeLagsBehind(`a node shows less than it did before of stream ${stream}`);
    }
    if (last !== undefined) observed(stream, last);
    return withoutGap(stream, from, events);
  };
  const readError =
    (stream: string) =>
    (error: unknown): never => {
      // After this many retries the log is another one: restored or lost.
      if (error instanceof Error && error.cause instanceof NodeLagsBehind) watermarks.drop(stream);
      throw failureOf(error).kind === 'deleted' ? new StreamDeleted(stream, { cause: error }) : error;
    };
  /**
   * Reads from the node that has just confirmed an append: events that were seen before may have been deleted
   * since.
   */
  const readBack = async (stream: string, from: bigint, limit: number): Promise<readonly RecordedEvent[]> =>
    (await withRetries(deadlines, () => pageOf(deps, stream, from, limit)).catch(readError(stream))).events;

  return {
    append: async (stream, expected, events) => {
      const checked = checkAppend(stream, events);
      const after = revisionBefore(stream, expected, events.length);
      const append = { stream, expected, after, events: checked };
      const { node, ...result } = await appendWithRetries({ ...deps, readBack }, append);
      observed(stream, result);
      tail.acknowledged({ position: result.position, node });
      return result;
    },
    readStream: async (stream, from = 0n, limit = Infinity) => {
      const events: RecordedEvent[] = [];
      let next = revisionFrom(from);
      while (next !== null && events.length < limit) {
        const [first, most] = [next, Math.min(PAGE, limit - events.length)];
        const page = await withRetries(deadlines, () => readPage(stream, first, most)).catch(
          readError(stream),
        );
        for (const event of page) events.push(event);
        const last = page.at(-1);
        next = last === undefined || page.length < most ? null : last.revision + 1n;
      }
      return events;
    },
  };
};

/** Whether the metadata of a stream hides events that nobody has appended since. */
const isCut = async (
  { connection, deadlines: { callMs: idleTimeoutMs } }: StoreDeps,
  stream: string,
): Promise<boolean> => {
  let metadata: JsonObject | null = null;
  try {
    const request = streamRequest(`$$${stream}`, { from: 'end', limit: 1 });
    for await (const messages of connection.read(request, { idleTimeoutMs })) {
      for (const { record } of messages) if (record !== null) metadata = jsonObject(record.data);
    }
  } catch (error) {
    // A user that may not read it cannot set it either.
    if (failureOf(error).kind !== 'refused') throw error;
  }
  return metadata?.['$tb'] !== undefined || metadata?.['$maxAge'] !== undefined;
};

/** Makes one call. `node` is the node that responded. */
const pageOf = async (
  { connection, deadlines: { callMs: idleTimeoutMs } }: StoreDeps,
  stream: string,
  from: bigint,
  limit: number,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly node: object }> => {
  const events: RecordedEvent[] = [];
  let node = {};
  const onNode = (answering: object): void => void (node = answering);
  for await (const messages of connection.read(streamRequest(stream, { from, limit }), {
    idleTimeoutMs,
    onNode,
  })) {
    for (const { record } of messages) {
      if (record === null) continue;
      const event = toEvent(record);
      if (event === null) throw new ForeignEvent(stream, record.revision);
      events.push(event);
    }
  }
  return { events, node };
};

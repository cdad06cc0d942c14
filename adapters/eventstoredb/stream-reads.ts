import { ForeignEvent, StreamDeleted } from '../../application/ports/event-store.ts';
import type { AppendResult, EventStore, RecordedEvent } from '../../application/ports/event-store.ts';
import { revisionFrom } from '../../application/ports/event-checks.ts';
import type { Connection } from './connection.ts';
import { failureOf, ShowsLess } from './failures.ts';
import type { LogTail } from './log-tail.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { toEvent } from './records.ts';
import { streamRequest } from './requests.ts';
import { createSeen } from './seen.ts';

export interface StoreDeps {
  readonly connection: Connection;
  readonly patience: Patience;
  /** Of the feed of this process, whose readers then need not wait for the server's hint. */
  readonly tail: Pick<LogTail, 'told' | 'saw'>;
}

export interface StreamReads extends Pick<EventStore, 'readStream'> {
  /**
   * At most `limit` events in one call, as a node shows them that has just judged an append: whatever was seen before may
   * be deleted by now.
   */
  readonly readBack: (stream: string, from: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
  /** An event of the stream lies there: what shows less is not believed from then on. */
  readonly noted: (stream: string, last: AppendResult) => void;
}

/** Events of a stream that are asked for at once: a failure costs no more than reading those again. */
const PAGE = 2_000;

export const createStreamReads = ({ connection, patience, tail }: StoreDeps): StreamReads => {
  const seen = createSeen();
  const noted = (stream: string, { revision, position }: AppendResult): void => {
    seen.note(stream, revision);
    tail.saw(position);
  };
  const pageOf = (stream: string, from: bigint, limit: number): Promise<StreamPage> =>
    readPageOf(connection, patience, { stream, from, limit });
  /** Refuses a page that ends before what this process has seen. */
  const believed = async (stream: string, from: bigint, limit: number): Promise<readonly RecordedEvent[]> => {
    // By then: an answer may be under way while an append of this process is acknowledged.
    const known = seen.of(stream);
    const { events, node } = await pageOf(stream, from, limit);
    const last = events.at(-1);
    const shown = last?.revision ?? from - 1n;
    if (events.length < limit && shown < known && from <= known) {
      connection.leave(node);
      throw new ShowsLess(`a node shows less than it did before of stream ${stream}`);
    }
    if (last !== undefined) noted(stream, last);
    return events;
  };
  const named =
    (stream: string) =>
    (error: unknown): never => {
      // After this much patience the log is another one: one that was restored, or lost.
      if (error instanceof Error && error.cause instanceof ShowsLess) seen.forget(stream);
      throw failureOf(error).kind === 'deleted' ? new StreamDeleted(stream, { cause: error }) : error;
    };

  return {
    readStream: async (stream, from = 0n, limit = Infinity) => {
      const events: RecordedEvent[] = [];
      let next = revisionFrom(from);
      while (next !== null && events.length < limit) {
        const [first, most] = [next, Math.min(PAGE, limit - events.length)];
        const page = await patiently(patience, () => believed(stream, first, most)).catch(named(stream));
        for (const event of page) events.push(event);
        const last = page.at(-1);
        next = last === undefined || page.length < most ? null : last.revision + 1n;
      }
      return events;
    },
    readBack: async (stream, from, limit) =>
      (await patiently(patience, () => pageOf(stream, from, limit)).catch(named(stream))).events,
    noted,
  };
};

interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** Who answered. */
  readonly node: object;
}

const readPageOf = async (
  connection: Connection,
  { callMs: silenceMs }: Patience,
  { stream, ...part }: { readonly stream: string; readonly from: bigint; readonly limit: number },
): Promise<StreamPage> => {
  const events: RecordedEvent[] = [];
  let node = {};
  const onNode = (answering: object): void => void (node = answering);
  for await (const frames of connection.read(streamRequest(stream, part), { silenceMs, onNode })) {
    for (const { record } of frames) {
      if (record === null) continue;
      const event = toEvent(record);
      if (event === null) throw new ForeignEvent(stream, record.revision);
      events.push(event);
    }
  }
  return { events, node };
};

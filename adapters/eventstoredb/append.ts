import {
  type AppendResult,
  AppendTooLarge,
  ConcurrencyConflict,
  EventsGone,
  ForeignEvent,
  OutcomeUnknown,
  type RecordedEvent,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import { type Append, type AppendAnswer, appendMessage } from './append-messages.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, startBudget, type TimeBudget, within } from './deadlines.ts';
import { type Failure, failureOf, isTransient, unavailable } from './errors.ts';

/** `node`: the one that confirmed the append; null where its events were found in the stream. */
export interface Appended extends AppendResult {
  readonly node: object | null;
}

export interface AppendDeps {
  readonly connection: Connection;
  readonly deadlines: Deadlines;
  /** At most `limit` events of a stream in one call, as the store shows them now. */
  readonly readBack: (stream: string, from: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
}

/** One append on its way. */
interface Sending extends AppendDeps {
  readonly append: Append;
  readonly budget: TimeBudget;
}

/** Least time for a search, however long the attempts before it took. */
const SEARCH_MS = 500;
/** Searches for a confirmed append. */
const SEARCHES = 5;

/**
 * Sends an append, and the same events again while its answer is missing: at an exact revision the server recognises
 * them by their ids. It drops a repetition without an answer while the first one is not replicated yet, and it does not
 * recognise a write that its operator truncated; so its answer is checked against the stream where it could be wrong.
 */
export const appendWithRetries = async (deps: AppendDeps, append: Append): Promise<Appended> => {
  const { connection, deadlines } = deps;
  const sending = { ...deps, append, budget: startBudget(deadlines) };
  const message = appendMessage(append);
  /** An attempt that may have been written: from then on only the stream can tell. */
  let pending: { readonly failure: Failure; readonly error: unknown } | null = null;
  for (let failures = 1; ; failures += 1) {
    let answer: AppendAnswer;
    let node: object | null = null;
    try {
      const left = sending.budget.left();
      const onNode = (answering: object): void => void (node = answering);
      answer = await within(left, connection.append(message, Math.min(deadlines.callMs, left), onNode));
    } catch (error) {
      const failure = failureOf(error);
      if (!isTransient(failure)) throw refusal(append, failure, error);
      if (failure.kind === 'unknown') pending = { failure, error };
      if (!sending.budget.mayRetry(failure)) {
        if (pending === null) throw unavailable(failure, error);
        return settleUnknown(sending, pending);
      }
      await pause(deadlines, failures);
      continue;
    }
    return answer.kind === 'done'
      ? confirmed(sending, { ...answer, node })
      : conflicting(sending, answer.actual);
  }
};

const refusal = ({ stream }: Append, failure: Failure, error: unknown): unknown => {
  if (failure.kind === 'refused') return unavailable(failure, error);
  if (failure.kind === 'deleted') return new StreamDeleted(stream, { cause: error });
  return failure.kind === 'too_large' ? new AppendTooLarge(failure.message) : error;
};

/** The answer itself where it is what an append at this revision leads to, else what the stream holds. */
const confirmed = async (
  sending: Sending,
  { revision, position, node }: Extract<AppendAnswer, { readonly kind: 'done' }> & Pick<Appended, 'node'>,
): Promise<Appended> => {
  const { append, deadlines } = sending;
  const last = append.after + BigInt(append.events.length);
  if (revision === last && position !== null) return { revision, position, node };
  // A stream that was deleted goes on counting: "none" is then followed by another number than 0.
  const first = revision - BigInt(append.events.length) + 1n;
  for (let searches = 1; ; searches += 1) {
    const { result, isPast } = await search(sending, first);
    if (result !== null) return result;
    // The node may show a little less at first than it confirmed; what lies behind says that the events were deleted.
    if (isPast) throw new EventsGone(append.stream, revision);
    if (searches === SEARCHES) throw await missing(sending, first);
    await pause(deadlines, searches);
  }
};

/** Where the events before them are shown, the node shows less than it should; else the stream was deleted. */
const missing = async ({ readBack, append: { stream, events } }: Sending, first: bigint): Promise<Error> => {
  const [before] = first > 0n ? await readBack(stream, first - 1n, 1) : [];
  return before?.revision === first - 1n
    ? new OutcomeUnknown(`the event store confirmed an append to ${stream} that it does not show`)
    : new EventsGone(stream, first + BigInt(events.length) - 1n);
};

/** The conflict may be with an earlier attempt of the same append. */
const conflicting = async (sending: Sending, actual: bigint | 'none'): Promise<Appended> => {
  const { stream, expected, events, after } = sending.append;
  const { result, found } = await search(sending, after + 1n);
  if (result !== null) return result;
  const detail =
    found > 0 ? `${found} of its ${events.length} event ids are already recorded there` : undefined;
  throw new ConcurrencyConflict(stream, expected, actual, detail);
};

/** Searches for an append without an answer. Absent events may still come: then the outcome is unknown. */
const settleUnknown = async (
  sending: Sending,
  { failure, error }: { readonly failure: Failure; readonly error: unknown },
): Promise<Appended> => {
  const { result } = await search(sending, sending.append.after + 1n);
  if (result !== null) return result;
  throw new OutcomeUnknown(`the answer of the event store was lost: ${failure.message}`, { cause: error });
};

interface SearchResult {
  /** The last of the events lies at its revision: so does the append, as it is kept whole or not at all. */
  readonly result: Appended | null;
  /** How many of the events lie at their revisions. */
  readonly found: number;
  /** The stream shows events behind them. */
  readonly isPast: boolean;
}

const search = async ({ readBack, append, budget }: Sending, first: bigint): Promise<SearchResult> => {
  const { stream, events } = append;
  try {
    const reading = readBack(stream, first < 0n ? 0n : first, events.length);
    const there = await within(Math.max(budget.left(), SEARCH_MS), reading);
    const own = there.filter(({ id, revision }) => id === events[Number(revision - first)]?.id);
    const last = own.find(({ id }) => id === events.at(-1)?.id);
    return {
      result: last === undefined ? null : { revision: last.revision, position: last.position, node: null },
      found: own.length,
      isPast: there.some(({ revision }) => revision >= first + BigInt(events.length)),
    };
  } catch (error) {
    if (error instanceof StreamDeleted || error instanceof ForeignEvent) throw error;
    throw new OutcomeUnknown(`the event store cannot be asked what it has kept of ${stream}`, {
      cause: error,
    });
  }
};

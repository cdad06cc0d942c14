import {
  type AppendResult,
  AppendTooLarge,
  ConcurrencyConflict,
  EventsGone,
  ForeignEvent,
  OutcomeUnknown,
  type RecordedEvent,
  StreamCut,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import { type Append, type AppendResponse, appendMessage } from './append-messages.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, startBudget, type TimeBudget, withTimeout } from './deadlines.ts';
import { type Failure, failureOf, isTransient, unavailable } from './errors.ts';

/**
 * `node`: the cluster node that confirmed the append; null when the append was confirmed by reading the
 * stream.
 */
export interface Appended extends AppendResult {
  readonly node: object | null;
}

export interface AppendDeps {
  readonly connection: Connection;
  /** Begins the name of the stream on the server. */
  readonly prefix: string;
  readonly deadlines: Deadlines;
  /** Reads at most `limit` events of a stream in one call, as the store shows them now. */
  readonly readBack: (stream: string, from: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
}

/** An append in progress. */
interface AppendInProgress extends AppendDeps {
  readonly append: Append;
  readonly budget: TimeBudget;
}

/** Minimum time for reading the stream back, even if the attempts have used up the budget. */
const MIN_READ_BACK_MS = 500;
/** Maximum number of times a confirmed append is read back. */
const MAX_READ_BACKS = 5;

/**
 * Sends an append and repeats it until the server responds. At an exact revision the server recognises
 * repeated events by their ids. The server does not respond to a repeated append while the first one is not
 * replicated, and it does not recognise an append that an operator has truncated. Responses that may be wrong
 * are therefore verified by reading the stream.
 */
export const appendWithRetries = async (deps: AppendDeps, append: Append): Promise<Appended> => {
  const { connection, deadlines, prefix } = deps;
  const inProgress = { ...deps, append, budget: startBudget(deadlines) };
  const message = appendMessage({ ...append, stream: `${prefix}${append.stream}` });
  /**
   * The last attempt whose events may have been written. Once it is set, only reading the stream gives the
   * outcome.
   */
  let pending: { readonly failure: Failure; readonly error: unknown } | null = null;
  for (let failures = 1; ; failures += 1) {
    let response: AppendResponse;
    let node: object | null = null;
    try {
      const limits = { callMs: deadlines.callMs, left: inProgress.budget.left };
      response = await connection.append(message, limits, (answering) => void (node = answering));
    } catch (error) {
      const failure = failureOf(error);
      if (!isTransient(failure)) throw appendError(append, failure, error);
      if (failure.kind === 'unknown') pending = { failure, error };
      if (!inProgress.budget.mayRetry(failure)) {
        if (pending === null) throw unavailable(failure, error);
        return settleUnknown(inProgress, pending);
      }
      await inProgress.budget.pause(failures);
      continue;
    }
    return response.kind === 'done'
      ? resolveConfirmation(inProgress, { ...response, node })
      : resolveConflict(inProgress, response.actual);
  }
};

const appendError = ({ stream }: Append, failure: Failure, error: unknown): unknown => {
  if (failure.kind === 'refused') return unavailable(failure, error);
  if (failure.kind === 'deleted') return new StreamDeleted(stream, { cause: error });
  return failure.kind === 'too_large' ? new AppendTooLarge(failure.message) : error;
};

/**
 * Returns the server's response if it has the expected revision; otherwise reads the outcome from the stream.
 */
const resolveConfirmation = async (
  inProgress: AppendInProgress,
  { revision, position, node }: Extract<AppendResponse, { readonly kind: 'done' }> & Pick<Appended, 'node'>,
): Promise<Appended> => {
  const { append, deadlines } = inProgress;
  const last = append.after + BigInt(append.events.length);
  if (revision === last && position !== null) return { revision, position, node };
  // A soft-deleted stream continues its revisions, although it looks like one that never existed.
  const first = revision - BigInt(append.events.length) + 1n;
  for (let attempts = 1; ; attempts += 1) {
    const { result, hasLaterEvents } = await findAppended(inProgress, first);
    if (result !== null) {
      if (revision === last) return result;
      throw new StreamCut(append.stream, append.after + 1n);
    }
    // The node may not show the append that it confirmed yet. Later events in the stream prove that the
    // events were deleted.
    if (hasLaterEvents) throw new EventsGone(append.stream, revision);
    if (attempts === MAX_READ_BACKS) throw await missingAppendError(inProgress, first);
    await pause(deadlines, attempts);
  }
};

/** If the event before the append is visible, the node lags behind; otherwise the stream was deleted. */
const missingAppendError = async (
  { readBack, append: { stream, events } }: AppendInProgress,
  first: bigint,
): Promise<Error> => {
  const [before] = first > 0n ? await readBack(stream, first - 1n, 1) : [];
  return before?.revision === first - 1n
    ? new OutcomeUnknown(`the event store confirmed an append to ${stream} but does not show it`)
    : new EventsGone(stream, first + BigInt(events.length) - 1n);
};

/** The conflict may be with an earlier attempt of the same append. */
const resolveConflict = async (inProgress: AppendInProgress, actual: bigint | 'none'): Promise<Appended> => {
  const { stream, expected, events, after } = inProgress.append;
  const { result, found } = await findAppended(inProgress, after + 1n);
  if (result !== null) return result;
  const detail =
    found > 0 ? `${found} of its ${events.length} event ids are already recorded there` : undefined;
  throw new ConcurrencyConflict(stream, expected, actual, detail);
};

/**
 * Looks in the stream for an append that got no response. If its events are absent, they may still be written
 * later, so the outcome is unknown.
 */
const settleUnknown = async (
  inProgress: AppendInProgress,
  { failure, error }: { readonly failure: Failure; readonly error: unknown },
): Promise<Appended> => {
  const { result } = await findAppended(inProgress, inProgress.append.after + 1n);
  if (result !== null) return result;
  throw new OutcomeUnknown(`the response of the event store was lost: ${failure.message}`, { cause: error });
};

interface ReadBackResult {
  /** Set when the last event is at its expected revision. Appends are atomic, so all events were written. */
  readonly result: Appended | null;
  /** Number of events found at their expected revisions. */
  readonly found: number;
  /** Whether the stream has events after the append. */
  readonly hasLaterEvents: boolean;
}

const findAppended = async (
  { readBack, append, budget }: AppendInProgress,
  first: bigint,
): Promise<ReadBackResult> => {
  const { stream, events } = append;
  try {
    const reading = readBack(stream, first < 0n ? 0n : first, events.length);
    const recorded = await withTimeout(Math.max(budget.left(), MIN_READ_BACK_MS), reading);
    const matching = recorded.filter(({ id, revision }) => id === events[Number(revision - first)]?.id);
    const last = matching.find(({ id }) => id === events.at(-1)?.id);
    return {
      result: last === undefined ? null : { revision: last.revision, position: last.position, node: null },
      found: matching.length,
      hasLaterEvents: recorded.some(({ revision }) => revision >= first + BigInt(events.length)),
    };
  } catch (error) {
    if (error instanceof StreamDeleted || error instanceof ForeignEvent) throw error;
    throw new OutcomeUnknown(`the outcome of an append to ${stream} could not be read from the event store`, {
      cause: error,
    });
  }
};

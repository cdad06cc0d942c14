import {
  AppendTooLarge,
  ConcurrencyConflict,
  EventsGone,
  ForeignEvent,
  OutcomeUnknown,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import type { AppendResult, RecordedEvent } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import type { Answer, Append } from './answers.ts';
import type { Connection } from './connection.ts';
import { failureOf, isTransient, unavailable } from './failures.ts';
import type { Failure } from './failures.ts';
import { allowanceOf, within } from './patience.ts';
import type { Allowance, Patience } from './patience.ts';
import { writeBatchAppend } from './wire/batch-requests.ts';

/** What an append has led to, and the node that says so; null where it was found by looking. */
export interface Appended extends AppendResult {
  readonly node: object | null;
}

export interface AppendDeps {
  readonly connection: Connection;
  readonly patience: Patience;
  /** At most `limit` events of a stream in one call, as the store shows them now. */
  readonly readBack: (stream: string, from: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
}

/** One append on its way. */
interface Sending extends AppendDeps {
  readonly append: Append;
  readonly allowance: Allowance;
}

/** How long a look at what was kept may take at least, however long the tries before it took. */
const LOOK_MS = 500;

/**
 * Sends an append, and the same events again while its answer is missing: at an exact revision the server recognises
 * them by their ids. It drops a repetition without an answer while the first one is not replicated yet, and it knows
 * no repetition of a write that its operator truncated; so what it says is checked against the stream where it could
 * be otherwise.
 */
export const appendWith = async (deps: AppendDeps, append: Append): Promise<Appended> => {
  const sending = { ...deps, append, allowance: allowanceOf(deps.patience) };
  const send = sender(sending);
  /** A try may have been written: from then on only the stream can tell. */
  let pending: { readonly failure: Failure; readonly error: unknown } | null = null;
  for (let failures = 1; ; failures += 1) {
    let answer: Answer;
    let node: object | null = null;
    try {
      answer = await send((answering) => (node = answering));
    } catch (error) {
      const failure = failureOf(error);
      if (!isTransient(failure)) throw verdict(append, failure, error);
      if (failure.kind === 'unknown') pending = { failure, error };
      if (!sending.allowance.mayTry(failure)) {
        if (pending === null) throw unavailable(failure, error);
        return searched(sending, pending);
      }
      await pause(deps.patience, failures);
      continue;
    }
    return answer.kind === 'done'
      ? accepted(sending, { ...answer, node })
      : recognised(sending, answer.actual);
  }
};

type Send = (onNode: (node: object) => void) => Promise<Answer>;

/** Everything is made once, so that every try sends the same. */
const sender = ({ connection, patience, append, allowance }: Sending): Send => {
  const message = writeBatchAppend(append);
  return (onNode) => {
    const left = allowance.left();
    return within(left, connection.append(message, Math.min(patience.callMs, left), onNode));
  };
};

/** The answer itself where it is what an append at this revision leads to, else what the stream holds. */
const accepted = async (
  sending: Sending,
  { revision, position, node }: Extract<Answer, { readonly kind: 'done' }> & Pick<Appended, 'node'>,
): Promise<Appended> => {
  const { append, patience } = sending;
  const last = append.after + BigInt(append.events.length);
  if (revision === last && position !== null) return { revision, position, node };
  // A stream that was deleted goes on counting: "none" is then followed by another number than 0.
  const first = revision - BigInt(append.events.length) + 1n;
  for (let looks = 1; ; looks += 1) {
    const { result, isPast } = await look(sending, first);
    if (result !== null) return result;
    // What was confirmed is shown, or has been: by a node that may show a little less at first.
    if (isPast) throw new EventsGone(append.stream, revision);
    if (looks === LOOKS) throw await missing(sending, first);
    await pause(patience, looks);
  }
};

const LOOKS = 5;

/** Events before them are shown: so a node shows less than it should. None are: the stream was deleted. */
const missing = async ({ readBack, append: { stream, events } }: Sending, first: bigint): Promise<Error> => {
  const [before] = first > 0n ? await readBack(stream, first - 1n, 1) : [];
  return before?.revision === first - 1n
    ? new OutcomeUnknown(`the event store confirmed an append to ${stream} that it does not show`)
    : new EventsGone(stream, first + BigInt(events.length) - 1n);
};

const recognised = async (sending: Sending, actual: bigint | 'none'): Promise<Appended> => {
  const { stream, expected, events, after } = sending.append;
  const { result, known } = await look(sending, after + 1n);
  if (result !== null) return result;
  const detail =
    known > 0 ? `${known} of its ${events.length} event ids are already recorded there` : undefined;
  throw new ConcurrencyConflict(stream, expected, actual, detail);
};

/** The last resort of an append without answer. Absent events may still come: then nobody can tell. */
const searched = async (
  sending: Sending,
  { failure, error }: { readonly failure: Failure; readonly error: unknown },
): Promise<Appended> => {
  const { result } = await look(sending, sending.append.after + 1n);
  if (result !== null) return result;
  throw new OutcomeUnknown(`the answer of the event store was lost: ${failure.message}`, { cause: error });
};

interface Look {
  /** The last of the events lies where it belongs: so does the append, as it is kept whole or not at all. */
  readonly result: Appended | null;
  /** How many of the events lie where they belong. */
  readonly known: number;
  /** The stream shows what lies behind them. */
  readonly isPast: boolean;
}

const look = async ({ readBack, append, allowance }: Sending, first: bigint): Promise<Look> => {
  const { stream, events } = append;
  try {
    const reading = readBack(stream, first < 0n ? 0n : first, events.length);
    const there = await within(Math.max(allowance.left(), LOOK_MS), reading);
    const own = there.filter(({ id, revision }) => id === events[Number(revision - first)]?.id);
    const last = own.find(({ id }) => id === events.at(-1)?.id);
    return {
      result: last === undefined ? null : { revision: last.revision, position: last.position, node: null },
      known: own.length,
      isPast: there.some(({ revision }) => revision >= first + BigInt(events.length)),
    };
  } catch (error) {
    if (error instanceof StreamDeleted || error instanceof ForeignEvent) throw error;
    throw new OutcomeUnknown(`the event store cannot be asked what it has kept of ${stream}`, {
      cause: error,
    });
  }
};

const verdict = ({ stream }: Append, failure: Failure, error: unknown): unknown => {
  if (failure.kind === 'refused') return unavailable(failure, error);
  if (failure.kind === 'deleted') return new StreamDeleted(stream, { cause: error });
  return failure.kind === 'too_large' ? new AppendTooLarge(failure.message) : error;
};

import { NO_STREAM, jsonEvent } from '@eventstore/db-client';
import type { AppendResult as Answer, AppendToStreamOptions } from '@eventstore/db-client';
import type { CheckedEvent } from '../../application/ports/append-check.ts';
import {
  AppendTooLarge,
  ConcurrencyConflict,
  InvalidEvent,
  OutcomeUnknown,
} from '../../application/ports/event-store.ts';
import type { AppendResult, ExpectedRevision, RecordedEvent } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import { failureOf, isPassing, unavailable } from './failures.ts';
import type { Failure } from './failures.ts';
import { lenience, within } from './patience.ts';
import type { Patience } from './patience.ts';
import { toPosition } from './positions.ts';

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly CheckedEvent[];
}

export interface AppendDeps {
  readonly connection: Connection;
  readonly patience: Patience;
  /** Events of a stream, as the port's `readStream`. */
  readonly readBack: (stream: string, from: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
}

/**
 * Sends an append, and the same events again while its answer is missing: at an exact revision the server recognises
 * them by their ids. It drops a repetition without an answer while the first one is not replicated yet, and it knows
 * no repetition of a write that its operator truncated; so what it says is checked against the stream where it could
 * be otherwise.
 */
export const appendWith = async (deps: AppendDeps, append: Append): Promise<AppendResult> => {
  const { patience } = deps;
  const send = sender(deps, append);
  const mayTry = lenience(patience);
  /** A try may have been written: from then on only the stream can tell. */
  let pending: { readonly failure: Failure; readonly error: unknown } | null = null;
  for (let failures = 1; ; failures += 1) {
    try {
      return await accepted(deps, append, await send());
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'conflict') return recognised(deps, append, failure);
      if (!isPassing(failure)) throw verdict(failure, error);
      if (failure.kind === 'unknown') pending = { failure, error };
      if (!mayTry(failure)) return pending ? searched(deps, append, pending) : giveUp(failure, error);
      await pause(patience, failures);
    }
  }
};

/** `-1` is the same as `none`; the client would fail on it in the middle of its request. */
const revisionOf = (expected: ExpectedRevision): bigint => (expected === 'none' ? -1n : expected);

/** Everything is made once, so that every try sends the same. */
const sender = (
  { connection, patience }: AppendDeps,
  { stream, expected, events }: Append,
): (() => Promise<Answer>) => {
  const revision = revisionOf(expected);
  if (revision < -1n) throw new InvalidEvent(`revision ${revision} cannot be expected of ${stream}`);
  const messages = events.map(({ id, type, data, metadata }) =>
    jsonEvent({ id, type, data: JSON.parse(data), metadata: JSON.parse(metadata) }),
  );
  const options: AppendToStreamOptions = {
    ...connection.options,
    expectedRevision: revision === -1n ? NO_STREAM : revision,
    deadline: patience.callMs,
  };
  // The deadline begins with the call; finding a node of a cluster comes before it and has none.
  return () => within(patience.callMs * 1.5, connection.client.appendToStream(stream, messages, options));
};

/** The answer itself where it is what an append at this revision leads to, else what the stream holds. */
const accepted = async (deps: AppendDeps, append: Append, answer: Answer): Promise<AppendResult> => {
  const last = revisionOf(append.expected) + BigInt(append.events.length);
  const { nextExpectedRevision: revision, position } = answer;
  if (revision === last && position) return { revision, position: toPosition(position) };
  // A stream that was deleted goes on counting: "none" is then followed by another number than 0.
  const there = await readBack(deps, append, revision - BigInt(append.events.length) + 1n);
  if (there.length === append.events.length) return resultOf(there);
  throw new OutcomeUnknown(`the event store confirmed an append to ${append.stream} that it does not show`);
};

const recognised = async (deps: AppendDeps, append: Append, failure: Failure): Promise<AppendResult> => {
  const { stream, expected, events } = append;
  const there = await readBack(deps, append, revisionOf(expected) + 1n);
  if (there.length === events.length) return resultOf(there);
  const detail =
    there.length > 0
      ? `${there.length} of its ${events.length} event ids are already recorded there`
      : undefined;
  throw new ConcurrencyConflict(stream, expected, failure.actual ?? 'none', detail);
};

/** The last resort of an append without answer. Absent events may still come: then nobody can tell. */
const searched = async (
  deps: AppendDeps,
  append: Append,
  { failure, error }: { readonly failure: Failure; readonly error: unknown },
): Promise<AppendResult> => {
  const there = await readBack(deps, append, revisionOf(append.expected) + 1n);
  if (there.length === append.events.length) return resultOf(there);
  throw new OutcomeUnknown(`the answer of the event store was lost: ${failure.message}`, { cause: error });
};

/** Those of the events that lie where they belong. */
const readBack = async (
  deps: AppendDeps,
  { stream, events }: Append,
  from: bigint,
): Promise<readonly RecordedEvent[]> => {
  try {
    const there = await deps.readBack(stream, from < 0n ? 0n : from, events.length);
    return there.filter((event, index) => event.id === events[index]?.id);
  } catch (error) {
    throw new OutcomeUnknown(`the event store cannot be asked what it has kept of ${stream}`, {
      cause: error,
    });
  }
};

const resultOf = (events: readonly RecordedEvent[]): AppendResult => {
  const { revision, position } = events.at(-1)!;
  return { revision, position };
};

const giveUp = (failure: Failure, error: unknown): never => {
  throw unavailable(failure, error);
};

const verdict = (failure: Failure, error: unknown): unknown => {
  if (failure.kind === 'refused') return unavailable(failure, error);
  return failure.kind === 'too_large' ? new AppendTooLarge(failure.message) : error;
};

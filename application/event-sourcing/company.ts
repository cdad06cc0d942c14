import { fold } from '../../domain/shared/decider.ts';
import type { AppendResult, NewEvent } from '../ports/event-store.ts';
import type { Turn, Waiting } from './lines.ts';
import { type Basis, decided, type Executed, type Task } from './task.ts';

export type AnyTask = Task<unknown, unknown, unknown>;
export type Behind = Turn<AnyTask, Executed<unknown, unknown>>['behind'];

/** Commands that are written by one append. */
export interface Company<Event, State> {
  /** Of all of them, in the order in which they were decided. */
  readonly events: readonly NewEvent[];
  /** After all of them. */
  readonly state: State;
  readonly isAlone: boolean;
  /** Answers those who were taken along, and tells what came of the first. */
  readonly written: (result: AppendResult) => Executed<Event, State>;
  readonly failed: (error: unknown) => void;
  /** None was written: they wait on. */
  readonly letGo: () => void;
}

/** As many events as commands bring that wait for one append: long before the store refuses it as too large. */
const MOST_EVENTS = 100;

/** What a command leads to, on what those before it have led to. */
interface Part<Event, State> {
  readonly events: readonly Event[];
  readonly encoded: readonly NewEvent[];
  readonly state: State;
}
type InLine = Waiting<AnyTask, Executed<unknown, unknown>>;
interface PartOfOther<Event, State> extends Part<Event, State> {
  readonly waiting: InLine;
}

/**
 * A command that has its turn, and those behind it that the same append can serve: of the same aggregate and tenant, each
 * decided on what the one before it leads to. The first that would be refused, or change nothing, ends it, as nothing but
 * an event may rest on what is not written yet.
 */
export const inCompany = <Command, Event, State>(
  task: Task<Command, Event, State>,
  on: Basis<State>,
  events: readonly Event[],
  behind: Behind,
): Company<Event, State> => {
  const own = part(task, on.state, events);
  const others: PartOfOther<Event, State>[] = [];
  let [state, count] = [own.state, events.length];
  for (const waiting of behind()) {
    const next = nextPart(task, waiting, state);
    if (next === undefined || (count += next.events.length) > MOST_EVENTS) break;
    state = next.state;
    others.push(next);
    waiting.hold();
  }
  const parts = [own, ...others];
  return {
    events: parts.flatMap(({ encoded }) => encoded),
    state,
    isAlone: others.length === 0,
    written: ({ revision, position }) => {
      let last = revision;
      const answerOf = (of: Part<Event, State>): Executed<Event, State> => {
        const answer = { state: of.state, events: of.events, revision: last, position };
        last -= BigInt(of.events.length);
        return answer;
      };
      for (const other of others.toReversed()) {
        const answer = answerOf(other);
        other.waiting.answer(() => answer);
      }
      return answerOf(own);
    },
    failed: (error) => {
      const fail = (): never => {
        throw error;
      };
      for (const { waiting } of others) waiting.answer(fail);
    },
    letGo: () => {
      for (const { waiting } of others) waiting.letGo();
    },
  };
};

const part = <Command, Event, State>(
  { decider, encode }: Task<Command, Event, State>,
  on: State,
  events: readonly Event[],
): Part<Event, State> => ({ events, encoded: encode(events), state: fold(decider, events, on) });

const nextPart = <Command, Event, State>(
  first: Task<Command, Event, State>,
  waiting: InLine,
  on: State,
): PartOfOther<Event, State> | undefined => {
  const { decider, context } = waiting.offer;
  if ((decider as unknown) !== first.decider || context.tenant !== first.context.tenant) return undefined;
  const task = waiting.offer as unknown as Task<Command, Event, State>;
  try {
    const events = decided(task, on);
    return events.length === 0 ? undefined : { ...part(task, on, events), waiting };
  } catch {
    return undefined;
  }
};

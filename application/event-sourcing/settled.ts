import type { Decider } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { DomainEvent } from './domain-event.ts';
import {
  type AppendResult,
  BEGINNING,
  ConcurrencyConflict,
  EventStoreUnavailable,
  type EventStreams,
  type ExpectedRevision,
  type NewEvent,
  OutcomeUnknown,
} from '../ports/event-store.ts';
import { type Behind, inCompany } from './company.ts';
import type { KeptStates } from './kept-states.ts';
import type { Load, Loaded } from './load.ts';
import { shown } from './shown.ts';
import { type Basis, decided, type Executed, type Task } from './task.ts';

export interface SettleDeps {
  readonly store: Pick<EventStreams, 'append'>;
  readonly kept: KeptStates;
  readonly load: Load;
}

/** How often a lost answer is asked for again. */
const RETRIES = 3;

/**
 * Decides until the events fit directly behind what they were decided on. Where nobody else is likely to have written, it
 * decides on the state that this process has made itself: the append tells whether that was the newest one, and before
 * anything is refused, or left as it is, the stream is read.
 *
 * The append takes those along who wait `behind`, as far as they fit: see `inCompany`.
 */
export const settled = async <Command, Event extends DomainEvent, State>(
  deps: SettleDeps,
  task: Task<Command, Event, State>,
  pause: () => Promise<void>,
  behind: Behind,
): Promise<Executed<Event, State>> => {
  const { decider, stream, command, context, options } = task;
  let before: Loaded<State> | null = nothing(decider);
  /** Where a conflict says that the stream is. */
  let known: ExpectedRevision = 'none';
  /** What was read last, and what has come since. */
  const load = async (): Promise<Loaded<State> | null> =>
    (before = await deps.load(decider, stream, context.tenant, before ?? undefined));
  let mayBeAccompanied = true;
  for (let unread = guessed(deps.kept, task); ; unread = undefined) {
    if (unread === undefined) before = await shown(load, known, pause);
    if (before === null) return refuseAsAbsent(decider, command, options.guard);
    const { on, events } = unread ?? { on: before, events: decided(task, before.state) };
    if (events.length === 0) return { ...standing(before), events };
    const company = inCompany(task, on, events, mayBeAccompanied ? behind : nobody);
    try {
      const result = await append(deps.store, stream, on.revision, company.events);
      const last = { revision: result.revision, eventId: (company.events.at(-1) as NewEvent).id };
      const { state } = company;
      deps.kept.appended(decider, stream, on.revision, { state, tenant: context.tenant, ...last });
      return company.written(result);
    } catch (error) {
      if (error instanceof ConcurrencyConflict) known = error.actual;
      else if (company.isAlone || isOfTheStore(error)) {
        company.failed(error);
        throw error;
      } else mayBeAccompanied = false;
      company.letGo();
    }
    // What is there is seen by reading it: after a guess there is nobody to wait for.
    if (unread === undefined) await pause();
  }
};

const nobody: Behind = () => [];

/** Whoever asks next is told the same; of all else each command of an append has to learn by itself. */
const isOfTheStore = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown;

/** What can be decided without a question to the store; undefined where only the newest state can tell. */
const guessed = <Command, Event, State>(
  kept: KeptStates,
  task: Task<Command, Event, State>,
): { readonly on: Basis<State>; readonly events: readonly Event[] } | undefined => {
  const { decider, stream, context, options } = task;
  if (options.probablyNew === true) {
    const on = nothing(decider);
    return { on, events: decided(task, on.state) };
  }
  const on = lastSeenBy(task) ?? kept.current(decider, stream);
  if (on === undefined || on.tenant !== context.tenant) return undefined;
  try {
    const events = decided(task, on.state);
    return events.length === 0 ? undefined : { on, events };
  } catch {
    return undefined;
  }
};

/** Whoever has seen it was let in: the stream is of the tenant of the command. */
const lastSeenBy = <Command, Event, State>({
  options: { lastSeen },
  context: { tenant },
}: Task<Command, Event, State>): (Basis<State> & { readonly tenant: string }) | undefined =>
  lastSeen === undefined || lastSeen.revision === 'none'
    ? undefined
    : { state: lastSeen.state, revision: lastSeen.revision, tenant };

const nothing = <State>({ initial }: { readonly initial: State }): Loaded<State> => ({
  state: initial,
  revision: 'none',
  position: BEGINNING,
  last: null,
});

const standing = <State>({ state, revision, position }: Loaded<State>) => ({ state, revision, position });

/** One answer for absent and foreign, to the letter: whatever the command leads to where there is no stream. */
const refuseAsAbsent = <Command, Event, State>(
  { decide, initial }: Decider<Command, Event, State>,
  command: Command,
  guard: ((state: State) => void) | undefined,
): never => {
  guard?.(initial);
  decide(command, initial);
  throw new DomainError('not_found', 'there is no such resource');
};

const append = async (
  store: SettleDeps['store'],
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<AppendResult> => {
  const [head, ...rest] = events as [NewEvent, ...NewEvent[]];
  for (let retry = 0; ; retry++) {
    try {
      return await store.append(stream, expected, [head, ...rest]);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || retry === RETRIES) throw error;
    }
  }
};

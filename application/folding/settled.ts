import type { Decider, StreamOf } from '../../domain/shared/decider.ts';
import { fold } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { DomainEvent } from '../domain-event.ts';
import type { EventCodec } from '../event-codec.ts';
import type { CommandContext } from '../event-metadata.ts';
import {
  type AppendResult,
  BEGINNING,
  ConcurrencyConflict,
  type EventStreams,
  type ExpectedRevision,
  type NewEvent,
  OutcomeUnknown,
  type Position,
} from '../ports/event-store.ts';
import type { IdSource } from '../ports/identity.ts';
import type { KeptStates } from './kept-states.ts';
import type { Load, Loaded } from './load.ts';
import { shown } from './shown.ts';

export interface Executed<Event, State> {
  /** State after the command. */
  readonly state: State;
  /** The events that this command led to; empty when nothing had to change. */
  readonly events: readonly Event[];
  readonly revision: ExpectedRevision;
  /** Position of the newest event of the stream: what a reader must have reached to see this write. */
  readonly position: Position;
}

export interface ExecuteOptions<State> {
  /** Refuses on the state, by throwing, before anything is decided. */
  readonly guard?: (state: State) => void;
  /** The stream most likely does not exist: the first try saves reading it, and is a conflict where it does. */
  readonly probablyNew?: boolean;
  /**
   * What an earlier command, or a read, has left of this stream, for who most likely writes to it alone: the first try
   * saves reading it, and is a conflict where somebody else has written since.
   */
  readonly lastSeen?: LastSeen<State>;
}

/** A stream as it was. */
export interface LastSeen<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

export interface SettleDeps {
  readonly store: Pick<EventStreams, 'append'>;
  readonly codec: EventCodec;
  readonly ids: IdSource;
  readonly kept: KeptStates;
  readonly load: Load;
}

export interface Task<Command, Event, State> {
  readonly decider: Decider<Command, Event, State>;
  readonly stream: StreamOf<string>;
  readonly command: Command;
  readonly context: CommandContext;
  readonly options: ExecuteOptions<State>;
}

/** How often a lost answer is asked for again. */
const RETRIES = 3;

/**
 * Decides until the events fit directly behind what they were decided on. Where nobody else is likely to have written, it
 * decides on the state that this process has made itself: the append tells whether that was the newest one, and before
 * anything is refused, or left as it is, the stream is read.
 */
export const settled = async <Command, Event extends DomainEvent, State>(
  deps: SettleDeps,
  task: Task<Command, Event, State>,
  pause: () => Promise<void>,
): Promise<Executed<Event, State>> => {
  const { decider, stream, command, context, options } = task;
  let before: Loaded<State> | null = nothing(decider);
  /** Where a conflict says that the stream is. */
  let known: ExpectedRevision = 'none';
  /** What was read last, and what has come since. */
  const load = async (): Promise<Loaded<State> | null> =>
    (before = await deps.load(decider, stream, context.tenant, before ?? undefined));
  // Made once per command: however often the events are sent, they are the same events.
  const eventIds: string[] = [];
  const idOf = (i: number): string => (eventIds[i] ??= deps.ids.newId());
  for (let unread = guessed(deps.kept, task); ; unread = undefined) {
    if (unread === undefined) before = await shown(load, known, pause);
    if (before === null) return refuseAsAbsent(decider, command, options.guard);
    const { on, events } = unread ?? { on: before, events: decided(task, before.state) };
    if (events.length === 0) return { ...standing(before), events };
    const encoded = events.map((event, i) => deps.codec.encode(event, idOf(i), context));
    try {
      const result = await append(deps.store, stream, on.revision, encoded);
      const state = fold(decider, events, on.state);
      const { tenant } = on.revision === 'none' ? context : on;
      const last = { revision: result.revision, eventId: idOf(events.length - 1) };
      deps.kept.appended(decider, stream, on.revision, { state, tenant, ...last });
      return { state, events, ...result };
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error;
      known = error.actual;
    }
    // What is there is seen by reading it: after a guess there is nobody to wait for.
    if (unread === undefined) await pause();
  }
};

/** What a decision rests on. */
type Basis<State> =
  | { readonly state: State; readonly revision: 'none' }
  | { readonly state: State; readonly revision: bigint; readonly tenant: string };

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

/** @throws DomainError where the guard or the domain refuses */
const decided = <Command, Event, State>(
  { decider, command, options }: Task<Command, Event, State>,
  state: State,
): readonly Event[] => {
  options.guard?.(state);
  return decider.decide(command, state);
};

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

import type { Decider, StreamOf } from '../domain/shared/decider.ts';
import { fold } from '../domain/shared/decider.ts';
import { DomainError } from '../domain/shared/domain-error.ts';
import type { DomainEvent } from './domain-event.ts';
import type { EventCodec } from './event-codec.ts';
import type { CommandContext } from './event-metadata.ts';
import { createKeptStates, type KeptStates } from './folding/kept-states.ts';
import { createHistory, type ReadHistory } from './folding/history.ts';
import { createLoad, type Load, type Loaded } from './folding/load.ts';
import { createWaiting, type Patience, waitedTooLong, withoutTime } from './folding/patience.ts';
import { shown } from './folding/shown.ts';
import { createTurns } from './folding/turns.ts';
import {
  type AppendResult,
  BEGINNING,
  ConcurrencyConflict,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type RetryingEventStore,
} from './ports/event-store.ts';
import type { IdSource } from './ports/identity.ts';

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
}

export interface Run {
  /**
   * Load, fold, decide, append at the exact revision: one command at a time per stream, first come, first served. Where
   * somebody else has written to the stream meanwhile (another process, or another `Execute`) it decides again on what
   * they wrote, with growing pauses; a lost answer is asked for again with the same event ids, which the store recognises.
   * What a conflict says is there is waited for: a store may know of it before it shows it.
   *
   * What it costs does not grow with the stream: states are kept, and only what is newer is read and folded.
   *
   * A stream of another tenant is refused as one that does not exist.
   *
   * @throws DomainError when the command is refused; WaitedTooLong when nothing was written because its turn did not come
   * before the limit, or before `context.signal` aborted; EventStoreUnavailable or OutcomeUnknown from the store
   */
  <Command, Event extends DomainEvent, State, Category extends string>(
    decider: Decider<Command, Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    command: Command,
    context: CommandContext,
    options?: ExecuteOptions<State>,
  ): Promise<Executed<Event, State>>;
}
interface RunAndLoad extends Run {
  /** Reads what it decides on, by the same way. */
  readonly load: Load;
  readonly history: ReadHistory;
}
/** Fails as soon as the event store is known to be away. */
export interface Execute extends RunAndLoad {
  readonly retrying?: false;
}
/** Waits for an event store that is away: see `RetryingEventStore`. */
export interface RetryingExecute extends RunAndLoad {
  readonly retrying: true;
}

export interface ExecuteDeps {
  readonly store: EventStore | RetryingEventStore;
  readonly codec: EventCodec;
  readonly ids: IdSource;
  /** May be shared by all of a process. Default: states of its own, without snapshots. */
  readonly kept?: KeptStates;
  readonly patience?: Patience;
}

/** How often a lost answer is asked for again. */
const RETRIES = 3;

export function createExecute(deps: ExecuteDeps & { readonly store: EventStore }): Execute;
export function createExecute(deps: ExecuteDeps & { readonly store: RetryingEventStore }): RetryingExecute;
export function createExecute({
  store,
  codec,
  ids,
  kept = createKeptStates(),
  patience = withoutTime,
}: ExecuteDeps): Execute | RetryingExecute {
  const load = createLoad({ store, codec, kept });
  const history = createHistory({ store, codec });
  const turns = createTurns();
  const deps = { store, codec, ids, kept, load };
  const run: Run = async (decider, stream, command, context, options = {}) => {
    const { over, pause } = createWaiting(patience, context.signal);
    const endTurn = await turns.take(stream, over).catch(() => {
      throw waitedTooLong();
    });
    try {
      return await settled(deps, { decider, stream, command, context, options }, pause);
    } finally {
      endTurn();
    }
  };
  return store.retrying === true
    ? Object.assign(run, { load, history, retrying: true as const })
    : Object.assign(run, { load, history });
}

interface Deps extends Required<Pick<ExecuteDeps, 'store' | 'codec' | 'ids' | 'kept'>> {
  readonly load: Load;
}
interface Task<Command, Event, State> {
  readonly decider: Decider<Command, Event, State>;
  readonly stream: StreamOf<string>;
  readonly command: Command;
  readonly context: CommandContext;
  readonly options: ExecuteOptions<State>;
}

/** Decides until the events fit directly behind what they were decided on. */
const settled = async <Command, Event extends DomainEvent, State>(
  deps: Deps,
  task: Task<Command, Event, State>,
  pause: () => Promise<void>,
): Promise<Executed<Event, State>> => {
  const { decider, stream, command, context, options } = task;
  const { guard } = options;
  let before: Loaded<State> | null = nothing(decider);
  /** Where a conflict says that the stream is. */
  let known: ExpectedRevision = 'none';
  /** What was read last, and what has come since. */
  const load = async (): Promise<Loaded<State> | null> =>
    (before = await deps.load(decider, stream, context.tenant, before ?? undefined));
  // Made once per command: however often the events are sent, they are the same events.
  const eventIds: string[] = [];
  const idOf = (i: number): string => (eventIds[i] ??= deps.ids.newId());
  for (let unread = options.probablyNew ?? false; ; unread = false) {
    if (!unread) before = await shown(load, known, pause);
    if (before === null) return refuseAsAbsent(decider, command, guard);
    guard?.(before.state);
    const events = decider.decide(command, before.state);
    if (events.length === 0) return { ...standing(before), events };
    const encoded = events.map((event, i) => deps.codec.encode(event, idOf(i), context));
    try {
      const result = await append(deps.store, stream, before.revision, encoded);
      const state = fold(decider, events, before.state);
      const { tenant } = before.revision === 'none' ? context : before;
      deps.kept.keep(decider, stream, {
        state,
        revision: result.revision,
        eventId: idOf(events.length - 1),
        tenant,
      });
      return { state, events, ...result };
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error;
      known = error.actual;
    }
    // What is there is seen by reading it: after a guess there is nobody to wait for.
    if (!unread) await pause();
  }
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
  store: ExecuteDeps['store'],
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

import { type Decider, fold, type StreamOf } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import {
  type AppendResult,
  ConcurrencyConflict,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type RetryingEventStore,
} from '../ports/event-store.ts';
import type { IdSource } from '../ports/identity.ts';
import { type BackOffPolicy, createBackOff, waitedTooLong, withoutTime } from './back-off.ts';
import type { DomainEvent } from './aggregates.ts';
import type { EventCodec } from './event-codec.ts';
import { createKeyQueue } from './key-queue.ts';
import { absent, createHistory, createLoad, type Load, type Loaded, type ReadHistory } from './load.ts';
import { createStateCache, type StateCache } from './state-cache.ts';

/** What came of a command. */
export interface Executed<Event, State> {
  /** State after the command. */
  readonly state: State;
  /** The events that this command led to; empty when nothing had to change. */
  readonly events: readonly Event[];
  readonly revision: ExpectedRevision;
  /** Position of the newest event of the stream: what a reader must have reached to see this write. */
  readonly position: Position;
}

/** A stream as it was. */
export type LastSeen<State> = Pick<Executed<never, State>, 'state' | 'revision'>;

export interface ExecuteOptions<State> {
  /** Refuses on the state, by throwing, before anything is decided. */
  readonly guard?: (state: State) => void;
  /** The stream most likely does not exist: the first try saves reading it, and is a conflict where it does. */
  readonly probablyNew?: boolean;
  /**
   * The stream after an earlier command, or read, of a caller that most likely is its only writer: the first try saves
   * reading it, and is a conflict where somebody else has written since.
   */
  readonly lastSeen?: LastSeen<State>;
}

export interface Run {
  /**
   * Load, fold, decide, append at the exact revision: one command at a time for each stream, first come, first served.
   * Where another process, or another `Execute`, has written meanwhile, it decides again on what they wrote, with growing
   * pauses. A lost answer is asked for again with the same event ids, which the store recognises.
   *
   * The cost does not grow with the stream: states are cached, and only newer events are read and folded. A refusal, or
   * that nothing changes, always rests on a read. A stream of another tenant is refused as one that does not exist.
   *
   * @throws DomainError when the command is refused; WaitedTooLong when nothing was written because its turn did not come
   * before the deadline, or before `context.signal` aborted; EventStoreUnavailable or OutcomeUnknown from the store
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
  /** May be shared by all of a process. Default: one of its own. */
  readonly cache?: StateCache;
  readonly backOff?: BackOffPolicy;
}

/**
 * How often a stream is read until it shows the revision that a conflict named: for about 4 s. A follower of the log lags
 * less than that behind its leader; a revision that does not come belonged to a leader that has lost its place.
 */
const MOST_READS = 16;
/** How often a lost answer is asked for again. */
const MOST_RETRIES = 3;

export function createExecute(deps: ExecuteDeps & { readonly store: EventStore }): Execute;
export function createExecute(deps: ExecuteDeps & { readonly store: RetryingEventStore }): RetryingExecute;
export function createExecute({
  store,
  codec,
  ids,
  cache = createStateCache(),
  backOff: policy = withoutTime,
}: ExecuteDeps): Execute | RetryingExecute {
  const load = createLoad({ store, codec, cache });
  const history = createHistory({ store, codec });
  const queue = createKeyQueue();

  const run: Run = async (decider, stream, command, context, options = {}) => {
    const { tenant } = context;
    const { deadline, pause } = createBackOff(policy, context.signal);
    const encode = createEncode({ codec, ids }, context);
    const decide = (state: typeof decider.initial) => {
      options.guard?.(state);
      return decider.decide(command, state);
    };

    // 1. Wait for the commands on this stream that came before.
    const leave = await queue.enter(stream, deadline).catch(() => {
      throw waitedTooLong();
    });
    try {
      let assumed = assumption(decider, options, decide);
      let read: Loaded<typeof decider.initial> | undefined;
      let conflict: ExpectedRevision = 'none';
      for (;;) {
        // 2. Load: read what is newer than the cached state, and fold it. The first try may rest on an assumption.
        let on: LastSeen<typeof decider.initial>;
        let events;
        if (assumed !== undefined) ({ on, events } = assumed);
        else {
          const found = await untilShown(() => load(decider, stream, tenant, read), conflict, pause);
          if (found === null) return refuseAsAbsent(decider, decide);
          on = read = found;
          // 3. Decide: new events, or none where it is already so, or a refusal, which is thrown.
          events = decide(found.state);
        }
        const [first, ...rest] = encode(events);
        if (first === undefined) {
          const { state, revision, position } = read ?? absent(decider);
          return { state, events, revision, position };
        }
        // 4. Append all events, or none, directly behind the revision that was decided on.
        try {
          const { revision, position } = await append(store, stream, on.revision, [first, ...rest]);
          const state = fold(decider, events, on.state);
          cache.keep(decider, stream, { state, revision, eventId: (rest.at(-1) ?? first).id, tenant });
          return { state, events, revision, position };
        } catch (error) {
          // 5. Somebody else was quicker: decide again on what they wrote.
          if (!(error instanceof ConcurrencyConflict)) throw error;
          conflict = error.actual;
          if (assumed === undefined) await pause();
          assumed = undefined;
        }
      }
    } finally {
      leave();
    }
  };
  return store.retrying === true
    ? Object.assign(run, { load, history, retrying: true as const })
    : Object.assign(run, { load, history });
}

interface Assumption<Event, State> {
  readonly on: LastSeen<State>;
  readonly events: readonly Event[];
}

/** The first decision without a read, where the caller knows the stream. Undefined where only a read can tell. */
const assumption = <Event, State>(
  decider: { readonly initial: State },
  { probablyNew, lastSeen }: ExecuteOptions<State>,
  decide: (state: State) => readonly Event[],
): Assumption<Event, State> | undefined => {
  if (probablyNew === true) return { on: absent(decider), events: decide(decider.initial) };
  if (lastSeen === undefined || lastSeen.revision === 'none') return undefined;
  try {
    const events = decide(lastSeen.state);
    return events.length === 0 ? undefined : { on: lastSeen, events };
  } catch {
    return undefined;
  }
};

/** The stream once it shows revision `conflict`: a decision on less is in vain, and may refuse what is allowed by then. */
const untilShown = async <State>(
  load: () => Promise<Loaded<State> | null>,
  conflict: ExpectedRevision,
  pause: () => Promise<void>,
): Promise<Loaded<State> | null> => {
  for (let reads = 1; ; reads += 1) {
    const found = await load();
    const isShown =
      found === null || conflict === 'none' || (found.revision !== 'none' && found.revision >= conflict);
    if (isShown || reads >= MOST_READS) return found;
    await pause();
  }
};

/** A stream of another tenant is answered to the letter as one that does not exist. */
const refuseAsAbsent = <State>(
  { initial }: { readonly initial: State },
  decide: (state: State) => unknown,
): never => {
  decide(initial);
  throw new DomainError('not_found', 'there is no such resource');
};

const append = async (
  store: Pick<EventStore, 'append'>,
  stream: string,
  expected: ExpectedRevision,
  events: readonly [NewEvent, ...NewEvent[]],
): Promise<AppendResult> => {
  for (let retry = 0; ; retry++) {
    try {
      return await store.append(stream, expected, events);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || retry === MOST_RETRIES) throw error;
    }
  }
};

/** Encodes the events of one command: the nth gets the same id each time, so that the store recognises a repetition. */
const createEncode = ({ codec, ids }: Pick<ExecuteDeps, 'codec' | 'ids'>, context: CommandContext) => {
  const eventIds: string[] = [];
  return (events: readonly DomainEvent[]): readonly NewEvent[] =>
    events.map((event, i) => codec.encode(event, (eventIds[i] ??= ids.newId()), context));
};

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
import { type BackOffPolicy, createBackOff, contentionTimeout, withoutPauses } from './back-off.ts';
import type { DomainEvent } from './aggregates.ts';
import type { EventCodec } from './event-codec.ts';
import { createKeyQueue } from './key-queue.ts';
import { absent, createHistory, createLoad, type Load, type Loaded, type ReadHistory } from './load.ts';
import { createStateCache, type StateCache } from './state-cache.ts';

/** The result of a command. */
export interface Executed<Event, State> {
  /** State after the command. */
  readonly state: State;
  /** The events of this command; empty if nothing had to change. */
  readonly events: readonly Event[];
  readonly revision: ExpectedRevision;
  /** Position of the newest event of the stream. A reader at this position sees the write. */
  readonly position: Position;
}

/** A stream at an earlier revision. */
export type LastSeen<State> = Pick<Executed<never, State>, 'state' | 'revision'>;

export interface ExecuteOptions<State> {
  /** Called with the state before the decision; throws to refuse the command. */
  readonly guard?: (state: State) => void;
  /**
   * The stream probably does not exist: the first attempt skips the read, and causes a conflict if the stream exists.
   */
  readonly probablyNew?: boolean;
  /**
   * The stream after an earlier command or read of a caller that is probably its only writer. The first attempt skips
   * the read, and causes a conflict if another writer has appended since.
   */
  readonly lastSeen?: LastSeen<State>;
}

export interface Run {
  /**
   * Load, fold, decide, append at the exact revision. Commands on one stream run one at a time, in order of arrival. If
   * another process, or another `Execute`, has appended meanwhile, the command decides again on the new state, after
   * growing pauses. If an answer is lost, the append is repeated with the same event ids, which the store recognises.
   *
   * The cost does not grow with the stream: states are cached, and only newer events are read and folded. A refusal or
   * an unchanged result always rests on a read. A stream of another tenant is refused as if it did not exist.
   *
   * @throws DomainError if the command is refused; ContentionTimeout if nothing was written because the command did not run
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
  /** Reads a stream in the same way as the command loop. */
  readonly load: Load;
  readonly history: ReadHistory;
}
/** Fails as soon as the event store is known to be unavailable. */
export interface Execute extends RunAndLoad {
  readonly retrying?: false;
}
/** Waits for an unavailable event store: see `RetryingEventStore`. */
export interface RetryingExecute extends RunAndLoad {
  readonly retrying: true;
}

export interface ExecuteDeps {
  readonly store: EventStore | RetryingEventStore;
  readonly codec: EventCodec;
  readonly ids: IdSource;
  /** May be shared within a process. Default: a new cache. */
  readonly cache?: StateCache;
  readonly backOff?: BackOffPolicy;
}

/**
 * Maximum number of reads until a stream shows the revision that a conflict reported: about 4 s. A follower node of
 * the event store lags behind its leader by less than that; a revision that never appears belonged to a deposed leader.
 */
const MAX_READS = 16;
/** Maximum number of retries after lost answers. */
const MAX_RETRIES = 3;

export function createExecute(deps: ExecuteDeps & { readonly store: EventStore }): Execute;
export function createExecute(deps: ExecuteDeps & { readonly store: RetryingEventStore }): RetryingExecute;
export function createExecute({
  store,
  codec,
  ids,
  cache = createStateCache(),
  backOff: policy = withoutPauses,
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

    // 1. Wait for earlier commands on this stream.
    const leave = await queue.enter(stream, deadline).catch(() => {
      throw contentionTimeout();
    });
    try {
      let assumed = assumption(decider, options, decide);
      let read: Loaded<typeof decider.initial> | undefined;
      let conflict: ExpectedRevision = 'none';
      for (;;) {
        // 2. Load: read events newer than the cached state, and fold them. The first attempt may use an assumed state.
        let base: LastSeen<typeof decider.initial>;
        let events;
        if (assumed !== undefined) ({ base, events } = assumed);
        else {
          const found = await readUntilRevision(() => load(decider, stream, tenant, read), conflict, pause);
          if (found === null) return refuseAsAbsent(decider, decide);
          base = read = found;
          // 3. Decide: returns new events, or none if nothing has to change; throws a refusal.
          events = decide(found.state);
        }
        const [first, ...rest] = encode(events);
        if (first === undefined) {
          const { state, revision, position } = read ?? absent(decider);
          return { state, events, revision, position };
        }
        // 4. Append all events or none, directly after the revision of the decision.
        try {
          const { revision, position } = await append(store, stream, base.revision, [first, ...rest]);
          const state = fold(decider, events, base.state);
          cache.keep(decider, stream, { state, revision, eventId: (rest.at(-1) ?? first).id, tenant });
          return { state, events, revision, position };
        } catch (error) {
          // 5. Another writer was faster: decide again on the new state.
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
  readonly base: LastSeen<State>;
  readonly events: readonly Event[];
}

/** The first decision without a read, if the caller supplied the stream. Undefined if the result would need a read. */
const assumption = <Event, State>(
  decider: { readonly initial: State },
  { probablyNew, lastSeen }: ExecuteOptions<State>,
  decide: (state: State) => readonly Event[],
): Assumption<Event, State> | undefined => {
  if (probablyNew === true) return { base: absent(decider), events: decide(decider.initial) };
  if (lastSeen === undefined || lastSeen.revision === 'none') return undefined;
  try {
    const events = decide(lastSeen.state);
    return events.length === 0 ? undefined : { base: lastSeen, events };
  } catch {
    return undefined;
  }
};

/**
 * Reads the stream until it shows revision `conflict`. A decision on an older state would fail again, or refuse what
 * the newer state allows.
 */
const readUntilRevision = async <State>(
  load: () => Promise<Loaded<State> | null>,
  conflict: ExpectedRevision,
  pause: () => Promise<void>,
): Promise<Loaded<State> | null> => {
  for (let reads = 1; ; reads += 1) {
    const found = await load();
    const isShown =
      found === null || conflict === 'none' || (found.revision !== 'none' && found.revision >= conflict);
    if (isShown || reads >= MAX_READS) return found;
    await pause();
  }
};

/** Refuses a stream of another tenant exactly like one that does not exist. */
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
      if (!(error instanceof OutcomeUnknown) || retry === MAX_RETRIES) throw error;
    }
  }
};

/**
 * Encodes the events of one command. The nth event has the same id in every attempt, so that the store recognises a
 * repeated append.
 */
const createEncode = ({ codec, ids }: Pick<ExecuteDeps, 'codec' | 'ids'>, context: CommandContext) => {
  const eventIds: string[] = [];
  return (events: readonly DomainEvent[]): readonly NewEvent[] =>
    events.map((event, i) => codec.encode(event, (eventIds[i] ??= ids.newId()), context));
};

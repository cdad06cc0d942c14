import { type Decider, fold } from '../domain/shared/decider.ts';
import { DomainError } from '../domain/shared/domain-error.ts';
import type { DomainEvent } from './domain-event.ts';
import { decodeKnown, type EventCodec, readMetadata } from './event-codec.ts';
import type { CommandContext } from './event-metadata.ts';
import {
  BEGINNING,
  ConcurrencyConflict,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type RecordedEvent,
} from './ports/event-store.ts';
import type { IdSource } from './ports/identity.ts';

export interface Executed<Event, State> {
  /** State after the command. */
  readonly state: State;
  /** All events of the stream, the new ones included. */
  readonly history: readonly Event[];
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

export interface Execute {
  /**
   * Load, fold, decide, append at the exact revision. On a conflict it decides again on the newer history, at most
   * three times; a lost answer is retried with the same event ids, which the store recognises.
   *
   * A stream of another tenant is refused as one that does not exist.
   *
   * @throws DomainError when the command is refused, ConcurrencyConflict when the stream never holds still,
   * EventStoreUnavailable or OutcomeUnknown from the store
   */
  <Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
    context: CommandContext,
    options?: ExecuteOptions<State>,
  ): Promise<Executed<Event, State>>;
}

export interface ExecuteDeps {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly ids: IdSource;
}

/** How often a conflict is decided again, and a lost answer asked for again. */
const RETRIES = 3;

export const createExecute =
  ({ store, codec, ids }: ExecuteDeps): Execute =>
  async <Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    stream: string,
    command: Command,
    context: CommandContext,
    { guard, probablyNew = false }: ExecuteOptions<State> = {},
  ): Promise<Executed<Event, State>> => {
    // Made once per command: however often the events are sent, they are the same events.
    const eventIds: string[] = [];
    const idOf = (i: number): string => (eventIds[i] ??= ids.newId());
    for (let retry = 0; ; retry++) {
      const recorded = probablyNew && retry === 0 ? [] : await store.readStream(stream);
      if (isForeign(context.tenant, recorded)) return refuseAsAbsent(decider, command, guard);
      const history = recorded.map((event) => decoded(codec, event) as Event);
      const before = fold(decider, history, decider.initial);
      guard?.(before);
      const events = decider.decide(command, before);
      if (events.length === 0) return { state: before, history, events, ...tip(recorded) };
      const encoded = events.map((event, i) => codec.encode(event, idOf(i), context));
      try {
        const result = await append(store, stream, tip(recorded).revision, encoded);
        const state = fold(decider, events, before);
        return { state, history: [...history, ...events], events, ...result };
      } catch (error) {
        if (!(error instanceof ConcurrencyConflict) || retry === RETRIES) throw error;
      }
    }
  };

/** What a newer version has written may forbid what this one would decide. */
const decoded = (codec: EventCodec, recorded: RecordedEvent): DomainEvent => {
  const event = decodeKnown(codec, recorded);
  if (event !== null) return event;
  const message = `it was written to by a newer version of the service (${recorded.type}): ask that one`;
  throw new DomainError('unavailable', message);
};

const isForeign = (tenant: string, [first]: readonly RecordedEvent[]): boolean =>
  first !== undefined && readMetadata(first.metadata).tenant !== tenant;

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

/** Revision and position of the newest event. */
const tip = (recorded: readonly RecordedEvent[]): { revision: ExpectedRevision; position: Position } => {
  const last = recorded.at(-1);
  if (last === undefined) return { revision: 'none', position: BEGINNING };
  return { revision: last.revision, position: last.position };
};

const append = async (
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<{ revision: bigint; position: Position }> => {
  const [head, ...rest] = events as [NewEvent, ...NewEvent[]];
  for (let retry = 0; ; retry++) {
    try {
      return await store.append(stream, expected, [head, ...rest]);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || retry === RETRIES) throw error;
    }
  }
};

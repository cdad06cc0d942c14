import type { Decider, StreamOf } from '../../domain/shared/decider.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import type { ExpectedRevision, NewEvent, Position } from '../ports/event-store.ts';

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

/** A command that is to be settled. */
export interface Task<Command, Event, State> {
  readonly decider: Decider<Command, Event, State>;
  readonly stream: StreamOf<string>;
  readonly command: Command;
  readonly context: CommandContext;
  readonly options: ExecuteOptions<State>;
  /** As they are stored. However often the events of a command are encoded, their ids are the same. */
  readonly encode: (events: readonly Event[]) => readonly NewEvent[];
}

/** What a decision rests on. */
export type Basis<State> =
  | { readonly state: State; readonly revision: 'none' }
  | { readonly state: State; readonly revision: bigint; readonly tenant: string };

/** @throws DomainError where the guard or the domain refuses */
export const decided = <Command, Event, State>(
  { decider, command, options }: Task<Command, Event, State>,
  state: State,
): readonly Event[] => {
  options.guard?.(state);
  return decider.decide(command, state);
};

import type { Decider } from '../../domain/shared/decider.ts';

/** How a stream is folded. Two folds are the same where `evolve` is. */
export type Fold<Event, State, Category extends string = string> = Pick<
  Decider<never, Event, State, Category>,
  'category' | 'initial' | 'evolve' | 'shape'
>;

/** A state, and the event up to which it was folded: it is worth something as long as that event is in the stream. */
export interface Kept<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly eventId: string;
  /** To whom the stream belongs. */
  readonly tenant: string;
}

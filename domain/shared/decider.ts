/**
 * The interface of every aggregate: a pure fold and a pure decision.
 *
 * `decide` returns the new events in order; an empty array means that nothing changes. It throws `DomainError` to
 * refuse a command. Times, ids and facts from outside are part of the command.
 */
export interface Decider<Command, Event, State, Category extends string = string> {
  /** The prefix of its stream names. Stored, so it must not change; without a dash. */
  readonly category: Category;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** Never mutates `state`, and its cost must not grow with the state: states are cached and folded further. */
  readonly evolve: (state: State, event: Event) => State;
}

/** A stream of a category: `category-id`. */
export type StreamOf<Category extends string> = `${Category}-${string}`;

export const fold = <Event, State>(
  decider: Pick<Decider<never, Event, State>, 'evolve'>,
  events: Iterable<Event>,
  from: State,
): State => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};

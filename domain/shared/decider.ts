/**
 * The shape of every aggregate: a pure fold and a pure decision.
 *
 * `decide` returns the events that the command leads to, in order; an empty array means "already so".
 * It throws `DomainError` when the command is refused. Time, ids and looked-up facts arrive in the command.
 */
export interface Decider<Command, Event, State, Category extends string = string> {
  /** What stands before the id in the names of its streams. Frozen, and without a dash. */
  readonly category: Category;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** Never changes `state`, and costs no more the larger it is: states are cached, and folded on. */
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

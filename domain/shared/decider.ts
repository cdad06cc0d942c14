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
  /** Never changes `state`, and costs no more the larger it is: states are kept, and folded on. */
  readonly evolve: (state: State, event: Event) => State;
  /** Without it a state is folded from the beginning of its stream wherever it is not in memory. */
  readonly shape?: StateShape<State>;
}

/** A stream of a category: `category-id`. */
export type StreamOf<Category extends string> = `${Category}-${string}`;

/** How a state is written down, so that nobody need fold a long stream from its beginning again. */
export interface StateShape<State> {
  /** Under which it is kept. Frozen. */
  readonly name: string;
  /** To be raised whenever `State`, or what `evolve` makes of an event, changes: what was written before is then void. */
  readonly version: number;
  /** A value that JSON can hold. */
  readonly toJson: (state: State) => unknown;
  /** The state of which `toJson` of the same version made `json`. */
  readonly fromJson: (json: unknown) => State;
  /** How many things it holds: what it weighs in memory. */
  readonly entries: (state: State) => number;
}

/** Of a state that JSON can hold as it is, and that does not grow. */
export const plainShape = <State>(name: string, version: number): StateShape<State> => ({
  name,
  version,
  toJson: (state) => state,
  fromJson: (json) => json as State,
  entries: () => 1,
});

export const fold = <Event, State>(
  decider: Pick<Decider<never, Event, State>, 'evolve'>,
  events: Iterable<Event>,
  from: State,
): State => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};

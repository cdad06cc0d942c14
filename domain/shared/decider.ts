/**
 * The shape of every aggregate: a pure fold and a pure decision.
 *
 * `decide` returns the events that the command leads to, in order; an empty array means "already so".
 * It throws `DomainError` when the command is refused. Time, ids and looked-up facts arrive in the command.
 */
export interface Decider<Command, Event, State> {
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

export const fold = <Event, State>(
  decider: Pick<Decider<never, Event, State>, 'evolve'>,
  events: Iterable<Event>,
  from: State,
): State => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event);
  return state;
};

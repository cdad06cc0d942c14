import { type Decider, fold } from '../../domain/shared/decider.ts';
import { DomainError, type DomainErrorCode } from '../../domain/shared/domain-error.ts';

export interface History<Event, State> {
  readonly events: readonly Event[];
  readonly state: State;
}

/** Runs commands one after another, each against the state that the earlier ones led to. A refusal is thrown. */
export const historyOf = <Command, Event, State>(
  decider: Decider<Command, Event, State>,
  commands: readonly Command[],
): History<Event, State> =>
  commands.reduce<History<Event, State>>(
    ({ events, state }, command) => {
      const more = decider.decide(command, state);
      return { events: [...events, ...more], state: fold(decider, more, state) };
    },
    { events: [], state: decider.initial },
  );

/**
 * The code with which `run` was refused; null when it was not. Any other error is thrown on, and so is a refusal that
 * does not say why: its words are for people, and are not compared.
 */
export const refusalOf = (run: () => unknown): DomainErrorCode | null => {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof DomainError && error.message !== '') return error.code;
    throw error;
  }
};

import { type Decider, fold } from './decider.ts';

/**
 * Several commands as one, each decided on what those before it lead to: all of their events, in order. Where one of them
 * leads to nothing, none does; where one is refused, all are.
 */
export const together = <Command, Event, State, Category extends string>(
  decider: Decider<Command, Event, State, Category>,
): Decider<readonly Command[], Event, State, Category> => ({
  ...decider,
  decide: (commands, before) => {
    const events: Event[] = [];
    let state = before;
    for (const command of commands) {
      const own = decider.decide(command, state);
      if (own.length === 0) return [];
      state = fold(decider, own, state);
      events.push(...own);
    }
    return events;
  },
});

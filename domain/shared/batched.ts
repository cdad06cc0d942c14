import { type Decider, fold } from './decider.ts';

/**
 * Combines several commands into one; each is decided on the state after the previous ones. Returns all their events
 * in order. If one command has no events, none are returned; if one is refused, all are refused.
 */
export const batched = <Command, Event, State, Category extends string>(
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

import type fc from 'fast-check';
import { type EventStore, OutcomeUnknown } from '../../application/ports/event-store.ts';

/** What happens to an append: its answer arrives, is lost after the commit, or the request is lost before it. */
export type Fate = 'answered' | 'lost after commit' | 'lost before commit';

/**
 * An event store whose every read and append begins and answers when the scheduler says so: fast-check then tries
 * the orders in which racing commands can meet. Appends meet `fates` in turn; when these are used up, all is well.
 */
export const scheduledStore = (
  scheduler: fc.Scheduler,
  store: EventStore,
  fates: readonly Fate[] = [],
): EventStore => {
  const turn = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);
  const left = [...fates];
  return {
    readStream: async (stream, from, limit) => {
      await turn('read begins');
      const events = await store.readStream(stream, from, limit);
      await turn('read answers');
      return events;
    },
    append: async (stream, expected, events) => {
      const fate = left.shift() ?? 'answered';
      await turn('append begins');
      if (fate === 'lost before commit') throw new OutcomeUnknown('the connection broke');
      const result = await store.append(stream, expected, events);
      await turn('append answers');
      if (fate === 'lost after commit') throw new OutcomeUnknown('the connection broke');
      return result;
    },
  };
};

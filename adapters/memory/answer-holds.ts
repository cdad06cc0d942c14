import type { AnswerHolds } from '../../application/ports/leases.ts';
import type { Clock } from '../../application/ports/identity.ts';

/** Holds of one process. */
export const createMemoryAnswerHolds = (clock: Clock): AnswerHolds => {
  const until = new Map<string, number>();
  return {
    hold: async (id, ms) => void until.set(id, clock.now() + ms),
    isHeld: async (id) => (until.get(id) ?? 0) > clock.now(),
    release: async (id) => void until.delete(id),
  };
};

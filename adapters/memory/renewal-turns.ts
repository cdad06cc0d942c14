import type { RenewalTurns } from '../../application/ports/leases.ts';

/** Turns of one process, which last until they are given back: for tests. */
export const createMemoryRenewalTurns = (): RenewalTurns => {
  const taken = new Set<string>();
  return {
    take: async (secretId) => {
      if (taken.has(secretId)) return null;
      taken.add(secretId);
      return async () => void taken.delete(secretId);
    },
  };
};

import { createLines } from './lines.ts';

/** Hands out turns: one at a time per key, first come, first served. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn, with what ends it; that must be called, once.
   *
   * @param limit asked for only where there is something to wait for
   * @throws what the limit aborted with, while the caller waited
   */
  readonly take: (key: string, limit: () => AbortSignal) => Promise<() => void>;
}

export const createTurns = (): Turns => {
  const lines = createLines<undefined, () => void>();
  return {
    take: async (key, limit) => {
      const served = await lines.join(key, undefined, limit);
      return 'turn' in served ? served.turn.end : served.answer();
    },
  };
};

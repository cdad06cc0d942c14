import type { Position } from '../../../application/ports/event-store.ts';

/** How far the views are that this process moves, so that who waits for them need not ask the database. */
export interface ViewProgress {
  /** Its checkpoint is there, committed. */
  readonly moved: (view: string, position: Position) => void;
  /** It is for others to move, or for nobody. */
  readonly left: (view: string) => void;
  /** Whether this process moves all of them. */
  readonly knows: (views: readonly string[]) => boolean;
  /** Whether all of them are moved by this process and have come that far. */
  readonly reached: (views: readonly string[], position: Position) => boolean;
  /** Resolves when any view was moved or left, or after `ms`, or when `signal` aborts. */
  readonly change: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const createViewProgress = (): ViewProgress => {
  const positions = new Map<string, Position>();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
  };
  return {
    moved: (view, position) => {
      positions.set(view, position);
      wake();
    },
    left: (view) => {
      positions.delete(view);
      wake();
    },
    knows: (views) => views.every((view) => positions.has(view)),
    reached: (views, position) =>
      views.every((view) => {
        const at = positions.get(view);
        return at !== undefined && at >= position;
      }),
    change: async (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wakeUp = (): void => resolve();
      const timer = setTimeout(wakeUp, ms);
      signal?.addEventListener('abort', wakeUp);
      waiting.add(wakeUp);
      await promise;
      waiting.delete(wakeUp);
      signal?.removeEventListener('abort', wakeUp);
      clearTimeout(timer);
    },
  };
};

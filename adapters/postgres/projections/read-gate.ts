import type { Sql } from '../database-schema.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 15;

/** Views that this process moves tell how far they are; for others it looks at the checkpoints until all are far enough. */
export const createReadGate = (db: Sql, progress: ViewProgress = createViewProgress()): ReadGate => ({
  reached: async (views, position, timeoutMs, signal) => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if (progress.reached(views, position)) return true;
      const known = progress.knows(views);
      const left = deadline - performance.now();
      const isOver = left <= 0 || signal?.aborted === true;
      // The last word is the database's: for a moment another process may be further with them.
      if ((!known || isOver) && (await haveReached(db, views, position))) return true;
      if (isOver) return false;
      await (known ? progress.change(left, signal) : wait(POLL_MS));
    }
  },
});

const haveReached = async (db: Sql, views: readonly string[], position: Position): Promise<boolean> => {
  const { behind } = await db
    .selectFrom('projectionVersion')
    .select(({ fn }) => fn.countAll<number>().as('behind'))
    .where('live', '=', true)
    .where('view', 'in', [...views])
    // A view that is halted for being ahead of the log holds nothing that was written since.
    .where((where) =>
      where.or([where('position', '<', position), where('haltedAtPosition', '<', where.ref('position'))]),
    )
    .executeTakeFirstOrThrow();
  return behind === 0;
};

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

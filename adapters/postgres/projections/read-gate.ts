import type { Sql } from '../database-schema.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 15;

/**
 * Views that this process moves report their position; for others the gate polls the checkpoints until all
 * are far enough.
 */
export const createReadGate = (db: Sql, progress: ViewProgress = createViewProgress()): ReadGate => ({
  reached: async (views, position, timeoutMs, signal) => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if (progress.reached(views, position)) return true;
      const known = progress.knows(views);
      const left = deadline - performance.now();
      const isLastCheck = left <= 0 || signal?.aborted === true;
      // The database decides: another process may briefly be further.
      if ((!known || isLastCheck) && (await haveReached(db, views, position))) return true;
      if (isLastCheck) return false;
      await (known ? progress.waitForChange(left, signal) : wait(POLL_MS));
    }
  },
});

const haveReached = async (db: Sql, views: readonly string[], position: Position): Promise<boolean> => {
  const { reached } = await db
    .selectFrom('projectionVersion')
    .select(({ fn }) => fn.countAll<number>().as('reached'))
    .where('live', '=', true)
    .where('view', 'in', [...views])
    .where('position', '>=', position)
    // A view that is halted because it is ahead of the log contains nothing that was written since.
    .where((where) =>
      where.or([
        where('haltedAtPosition', 'is', null),
        where('haltedAtPosition', '>=', where.ref('position')),
      ]),
    )
    .executeTakeFirstOrThrow();
  // One that is not made yet has reached nothing.
  return reached === new Set(views).size;
};

/** The positions of the views that this process moves, so that readers need not query the database. */
export interface ViewProgress {
  /** Its checkpoint is committed at this position. */
  readonly moved: (view: string, position: Position) => void;
  /** This process no longer moves the view. */
  readonly left: (view: string) => void;
  /** Whether this process moves all of these views. */
  readonly knows: (views: readonly string[]) => boolean;
  /** Whether this process moves all of these views and all have reached the position. */
  readonly reached: (views: readonly string[], position: Position) => boolean;
  /** Resolves when any view was moved or left, after `ms`, or when `signal` aborts. */
  readonly waitForChange: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const createViewProgress = (): ViewProgress => {
  const positions = new Map<string, Position>();
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiters) resolve();
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
    waitForChange: async (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wakeUp = (): void => resolve();
      const timer = setTimeout(wakeUp, ms);
      signal?.addEventListener('abort', wakeUp);
      waiters.add(wakeUp);
      await promise;
      waiters.delete(wakeUp);
      signal?.removeEventListener('abort', wakeUp);
      clearTimeout(timer);
    },
  };
};

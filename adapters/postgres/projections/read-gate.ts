import { setTimeout as wait } from 'node:timers/promises';
import type { Position } from '../../../application/ports/event-store.ts';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import { createViewProgress, type ViewProgress } from './progress.ts';
import type { ProjectionDb } from './versions.ts';

const LOOK_MS = 15;

/** Views that this process moves tell how far they are; for others it looks at the checkpoints until all are far enough. */
export const createReadGate = (
  db: ProjectionDb,
  progress: ViewProgress = createViewProgress(),
): ReadGate => ({
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
      await (known ? progress.change(left, signal) : wait(LOOK_MS));
    }
  },
});

const haveReached = async (
  db: ProjectionDb,
  views: readonly string[],
  position: Position,
): Promise<boolean> => {
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

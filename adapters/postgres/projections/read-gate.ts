import { setTimeout as wait } from 'node:timers/promises';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import type { ProjectionDb } from './versions.ts';

const LOOK_MS = 15;

/** Looks at the checkpoints until all views are far enough. */
export const createReadGate = (db: ProjectionDb): ReadGate => ({
  reached: async (views, position, timeoutMs, signal) => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const { behind } = await db
        .selectFrom('projection_version')
        .select(({ fn }) => fn.countAll<number>().as('behind'))
        .where('live', '=', true)
        .where('view', 'in', [...views])
        // A view that is halted for being ahead of the log holds nothing that was written since.
        .where((where) =>
          where.or([
            where('position', '<', position),
            where('halted_at_position', '<', where.ref('position')),
          ]),
        )
        .executeTakeFirstOrThrow();
      if (behind === 0) return true;
      if (performance.now() >= deadline || signal?.aborted === true) return false;
      await wait(LOOK_MS);
    }
  },
});

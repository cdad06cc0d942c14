import type { Projection } from './projection.ts';
import { liveVersion, type ProjectionDb } from './versions.ts';

const LOOK_MS = 1_000;
const TOLD_EVERY = 10;

/** Waits until other processes have given every view a live version of this program's shape, or a newer one. */
export const awaitViews = async (
  {
    db,
    sleep,
  }: { readonly db: ProjectionDb; readonly sleep: (ms: number, signal: AbortSignal) => Promise<void> },
  projections: readonly Projection[],
  signal: AbortSignal,
  onWait: (view: string) => void,
): Promise<void> => {
  for (const { view, shape } of projections) {
    for (let looks = 0; !signal.aborted; looks += 1) {
      const live = await liveVersion(db, view);
      if (live !== undefined && live.shape >= shape) break;
      if (looks % TOLD_EVERY === 0) onWait(view);
      await sleep(LOOK_MS, signal);
    }
  }
};

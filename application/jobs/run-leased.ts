import type { Logger } from '../ports/logger.ts';
import type { Lease } from '../ports/leases.ts';
import { keepLease, type KeepLeaseDeps } from './keep-lease.ts';
import { watch, type WatchDeps } from './watch.ts';
import type { PutDown, WorkHandler } from './work-handler.ts';

export interface RunLeasedDeps extends KeepLeaseDeps, WatchDeps {
  readonly log: Logger;
}

/** Has the handler do what the lease stands for, keeps the lease all the while, and gives it back, as it answers. Never throws. */
export const runLeased = async (
  deps: RunLeasedDeps,
  handler: WorkHandler,
  lease: Lease,
  shutdown: AbortSignal,
): Promise<PutDown> => {
  let how: PutDown = 'done';
  try {
    how = await runHeld(deps, handler, lease, shutdown);
  } catch (error) {
    deps.log.error('leased work broke', { [handler.idName]: lease.id, error: String(error) });
  }
  try {
    await putDown(deps, lease, how);
  } catch (error) {
    deps.log.warn('lease not released; it will run out', { error: (error as Error).message });
  }
  return how;
};

/** What the handler says is to become of the lease. @throws what the handler throws */
export const runHeld = (
  deps: KeepLeaseDeps & WatchDeps,
  handler: Pick<WorkHandler, 'run'>,
  lease: Lease,
  shutdown: AbortSignal,
): Promise<PutDown> =>
  keepLease(deps, lease, (kept) =>
    handler.run({
      lease,
      shutdown,
      isLost: () => kept.lost.aborted || kept.hasRunOut(),
      watched: (claim, work) => watch(deps, kept, claim, shutdown, work),
    }),
  );

const putDown = async ({ leases, owner }: KeepLeaseDeps, lease: Lease, how: PutDown): Promise<void> => {
  if (how === 'lost') return;
  if (typeof how === 'string') await leases.release(owner, lease, how);
  else await leases.putOff(owner, lease, how);
};

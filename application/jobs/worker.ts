import { isDamagedStream } from '../ports/event-checks.ts';
import type { Lease, WorkLeases } from '../ports/leases.ts';
import { sweepAbandoned } from './load-work.ts';
import type { WorkOutcome, WorkHandler } from './work-handler.ts';
import type { Logger } from '../ports/logger.ts';
import { createSlots, type Slots } from './slots.ts';
import { type RenewLeaseDeps, type WatchDeps, renewWhile, watch } from './watch.ts';

interface RunLeasedDeps extends RenewLeaseDeps, WatchDeps {
  readonly log: Logger;
}

/**
 * Renews the lease, waits for a slot, runs the handler, and releases the lease as the handler returns. Never throws.
 */
export const runLeased = async (
  deps: RunLeasedDeps,
  handler: WorkHandler,
  lease: Lease,
  shutdown: AbortSignal,
  slots: Pick<Slots, 'take'> = UNLIMITED,
): Promise<WorkOutcome> => {
  let how: WorkOutcome = 'done';
  try {
    how = await runWithLease(deps, handler, lease, shutdown, slots);
  } catch (error) {
    deps.log.error('leased work failed', { [handler.idName]: lease.id, error: String(error) });
    if (isDamagedStream(error)) how = AFTER_DAMAGE;
  }
  try {
    await releaseLease(deps, lease, how);
  } catch (error) {
    deps.log.warn('lease not released; it will expire', { error: (error as Error).message });
  }
  return how;
};

/** Nothing but an operator helps: until then the work would fail at once, again and again. */
const AFTER_DAMAGE: WorkOutcome = { ms: 60 * 60_000, transient: false };

/** Runs the handler under the lease, and returns what it returns. @throws what the handler throws */
export const runWithLease = (
  deps: RenewLeaseDeps & WatchDeps,
  handler: Pick<WorkHandler, 'run'>,
  lease: Lease,
  shutdown: AbortSignal,
  slots: Pick<Slots, 'take'> = UNLIMITED,
): Promise<WorkOutcome> =>
  renewWhile(deps, lease, async (kept) => {
    const stopped = AbortSignal.any([shutdown, kept.lost]);
    const waited = new AbortController();
    const waiting = deps.every(MAX_WAIT_MS, async () => waited.abort());
    const slot = await slots
      .take(lease.tenant, AbortSignal.any([stopped, waited.signal]))
      .catch(() => null)
      .finally(() => waiting.stop());
    try {
      if (slot === null || stopped.aborted) return kept.lost.aborted ? 'lost' : 'stopped';
      return await handler.run({
        lease,
        shutdown,
        isLost: () => kept.lost.aborted || kept.hasExpired(),
        watched: (claim, work) => watch(deps, kept, claim, shutdown, slot, work),
      });
    } finally {
      slot?.release();
    }
  });

/**
 * Then a lease whose work has not begun is released: another process may have a free slot, or the deletion of the same data
 * source may wait for the lease.
 */
const MAX_WAIT_MS = 5_000;

/** For callers that run without a limit. */
const UNLIMITED: Pick<Slots, 'take'> = { take: async () => ({ yield: async () => {}, release: () => {} }) };

const releaseLease = async (
  { leases, owner }: RenewLeaseDeps,
  lease: Lease,
  how: WorkOutcome,
): Promise<void> => {
  if (how === 'lost') return;
  if (typeof how === 'string') await leases.release(owner, lease, how);
  else await leases.defer(owner, lease, how);
};

export interface WorkerDeps extends RunLeasedDeps {
  readonly leases: WorkLeases;
  /** One handler for each kind of `leases`. */
  readonly handlers: readonly WorkHandler[];
  /**
   * Maximum number of work items that run at once in this process. It may hold more leases for work that waits for a
   * slot: see `Slots`.
   */
  readonly slots: number;
  /** Additional slots, each for a tenant without other running work. Default: 0. */
  readonly reserved?: number;
  /** Waits until something may be pending, `ms` at most, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 500;
/** How long the worker waits for more free slots before a claim, and the fraction of free slots that ends the wait. */
const GATHER_MS = 50;
const GATHERED = 3 / 4;
/** With so few slots, the worker claims at once. */
const FEW_SLOTS = 2;
const SWEEP_MS = 5_000;
const CLEAN_UP_MS = 60_000;

/**
 * Claims pending work and does it until `shutdown` aborts; resolves when all running work has stopped.
 *
 * @throws at once if the handlers do not match the kinds of `leases`
 */
export const runWorker = async (deps: WorkerDeps, shutdown: AbortSignal): Promise<void> => {
  const handlerOf = handlersByKind(deps);
  const running = new Set<Promise<void>>();
  const slots = createSlots(deps);
  const wakeUps = createWakeUps(deps, slots);
  const sweep = atMostEvery(SWEEP_MS, deps, () => sweepAbandoned(deps));
  const cleanUp = atMostEvery(CLEAN_UP_MS, deps, async () => {
    for (const handler of deps.handlers) await handler.cleanUp?.();
  });
  const begin = (lease: Lease): void => {
    const work = async (): Promise<void> => {
      const how = await runLeased(deps, handlerOf(lease), lease, shutdown, slots);
      running.delete(task);
      wakeUps.ended(how);
    };
    const task = work();
    running.add(task);
  };
  while (!shutdown.aborted) {
    const { freed, gathered } = wakeUps.rearm();
    let isFull = false;
    try {
      await sweep();
      await cleanUp();
      const free = slots.free();
      for (const lease of await claim(deps, slots, free)) begin(lease);
      isFull = slots.free() <= 0;
    } catch (error) {
      deps.log.warn('the worker will retry', { error: (error as Error).message });
    }
    await deps.idle(POLL_MS, isFull ? AbortSignal.any([shutdown, freed]) : shutdown);
    if (freed.aborted && !gathered.aborted) await deps.idle(GATHER_MS, AbortSignal.any([shutdown, gathered]));
  }
  if (running.size > 0) await recordStop(deps);
  await Promise.all(running);
};

/**
 * Claims as much work as there are free slots; without free slots, claims only work of tenants below their fair share.
 */
const claim = (
  { leases, owner, leaseMs, slots: most }: WorkerDeps,
  slots: Slots,
  free: number,
): Promise<readonly Lease[]> =>
  free > 0
    ? leases.claim(owner, free, leaseMs)
    : leases.claim(owner, Math.max(0, Math.min(most, slots.room())), leaseMs, slots.served());

/**
 * Signals when slots become free after all were in use: more work may be pending then. With few slots, `gathered`
 * aborts with the first free slot; with many, when most are free, because one claim costs as much as several.
 */
const createWakeUps = ({ slots: most }: Pick<WorkerDeps, 'slots'>, slots: Pick<Slots, 'free'>) => {
  let freed = new AbortController();
  let gathered = new AbortController();
  return {
    /** Signals for slots that become free from now on. */
    rearm: (): { readonly freed: AbortSignal; readonly gathered: AbortSignal } => {
      freed = new AbortController();
      gathered = new AbortController();
      return { freed: freed.signal, gathered: gathered.signal };
    },
    ended: (how: WorkOutcome): void => {
      if (!mayHaveMore(how)) return;
      freed.abort();
      if (most <= FEW_SLOTS || slots.free() >= most * GATHERED) gathered.abort();
    },
  };
};

/**
 * True only after deferred work, which cannot be claimed again at once. Work released as done may still be pending in
 * views that lag.
 */
const mayHaveMore = (how: WorkOutcome): boolean => typeof how === 'object';

/** Without a handler for every kind, work would be claimed and released for ever. */
const handlersByKind = ({ leases, handlers }: WorkerDeps): ((lease: Lease) => WorkHandler) => {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]));
  const kinds = [...byKind.keys()].toSorted().join(', ');
  const asked = leases.kinds.toSorted().join(', ');
  if (kinds !== asked)
    throw new Error(
      `kinds of leases: ${asked}; kinds of handlers: ${kinds || 'none'}: they must be the same`,
    );
  return ({ kind }) => byKind.get(kind) as WorkHandler;
};

const atMostEvery = (
  ms: number,
  { clock }: Pick<WorkerDeps, 'clock'>,
  run: () => Promise<void>,
): (() => Promise<void>) => {
  let ranAt = 0;
  return async () => {
    if (clock.now() - ranAt < ms) return;
    ranAt = clock.now();
    await run();
  };
};

/** Called before the release of leases, because the process may be killed during it. */
const recordStop = async ({ leases, owner, log }: WorkerDeps): Promise<void> => {
  try {
    await leases.leave(owner);
  } catch (error) {
    log.warn('the stop of this worker was not recorded', { error: (error as Error).message });
  }
};

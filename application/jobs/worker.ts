import type { Lease, WorkLeases } from '../ports/leases.ts';
import { sweepAbandoned } from './loaded.ts';
import type { WorkEnding, WorkHandler } from './work-handler.ts';
import type { Logger } from '../ports/logger.ts';
import { createSlots, type Slots } from './slots.ts';
import { type KeepLeaseDeps, type WatchDeps, keepLease, watch } from './watch.ts';

interface RunLeasedDeps extends KeepLeaseDeps, WatchDeps {
  readonly log: Logger;
}

/**
 * Keeps the lease, waits for a slot, has the handler do what the lease stands for, and gives the lease back, as the handler
 * answers. Never throws.
 */
export const runLeased = async (
  deps: RunLeasedDeps,
  handler: WorkHandler,
  lease: Lease,
  shutdown: AbortSignal,
  slots: Pick<Slots, 'take'> = UNLIMITED,
): Promise<WorkEnding> => {
  let how: WorkEnding = 'done';
  try {
    how = await runHeld(deps, handler, lease, shutdown, slots);
  } catch (error) {
    deps.log.error('leased work broke', { [handler.idName]: lease.id, error: String(error) });
  }
  try {
    await releaseLease(deps, lease, how);
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
  slots: Pick<Slots, 'take'> = UNLIMITED,
): Promise<WorkEnding> =>
  keepLease(deps, lease, async (kept) => {
    const stopped = AbortSignal.any([shutdown, kept.lost]);
    const slot = await slots.take(lease.tenant, stopped).catch(() => null);
    try {
      if (slot === null || stopped.aborted) return kept.lost.aborted ? 'lost' : 'stopped';
      return await handler.run({
        lease,
        shutdown,
        isLost: () => kept.lost.aborted || kept.hasRunOut(),
        watched: (claim, work) => watch(deps, kept, claim, shutdown, slot, work),
      });
    } finally {
      slot?.release();
    }
  });

/** For work that nobody waits behind. */
const UNLIMITED: Pick<Slots, 'take'> = { take: async () => ({ yield: async () => {}, release: () => {} }) };

const releaseLease = async (
  { leases, owner }: KeepLeaseDeps,
  lease: Lease,
  how: WorkEnding,
): Promise<void> => {
  if (how === 'lost') return;
  if (typeof how === 'string') await leases.release(owner, lease, how);
  else await leases.defer(owner, lease, how);
};

export interface WorkerDeps extends RunLeasedDeps {
  readonly leases: WorkLeases;
  /** One for each kind that `leases` asks for. */
  readonly handlers: readonly WorkHandler[];
  /** Work that runs at once in this process. Further leases may be held by work that waits for its turn: see `Slots`. */
  readonly slots: number;
  /** Slots beyond these, each for a tenant that has no other work running here. Default: 0. */
  readonly reserved?: number;
  /** Waits until something may be pending, `ms` at most, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 500;
/** How long slots that become free are gathered, until a part of them is. */
const GATHER_MS = 50;
const GATHERED = 3 / 4;
/** With so few nothing is gathered. */
const FEW_SLOTS = 2;
const SWEEP_MS = 5_000;
const TIDY_MS = 60_000;

/**
 * Takes pending work and does it, until `shutdown` aborts; then it resolves when all work has been put down.
 *
 * @throws at once where the handlers do not fit the kinds that `leases` asks for
 */
export const runWorker = async (deps: WorkerDeps, shutdown: AbortSignal): Promise<void> => {
  const handlerOf = handlersByKind(deps);
  const running = new Set<Promise<void>>();
  const slots = createSlots(deps);
  const wakeUps = createWakeUps(deps, slots);
  const sweep = atMostEvery(SWEEP_MS, deps, () => sweepAbandoned(deps));
  const tidy = atMostEvery(TIDY_MS, deps, async () => {
    for (const handler of deps.handlers) await handler.tidy?.();
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
    const { freed, gathered } = wakeUps.look();
    let isFull = false;
    try {
      await sweep();
      await tidy();
      const free = slots.free();
      for (const lease of await claim(deps, slots, free)) begin(lease);
      isFull = slots.free() <= 0;
    } catch (error) {
      deps.log.warn('the worker will look again', { error: (error as Error).message });
    }
    await deps.idle(POLL_MS, isFull ? AbortSignal.any([shutdown, freed]) : shutdown);
    if (freed.aborted && !gathered.aborted) await deps.idle(GATHER_MS, AbortSignal.any([shutdown, gathered]));
  }
  if (running.size > 0) await leave(deps);
  await Promise.all(running);
};

/** As much as there are free slots for; where there is none, work of tenants that have less than their share of them. */
const claim = (
  { leases, owner, leaseMs, slots: most }: WorkerDeps,
  slots: Slots,
  free: number,
): Promise<readonly Lease[]> =>
  free > 0
    ? leases.claim(owner, free, leaseMs)
    : leases.claim(owner, Math.max(0, Math.min(most, slots.room())), leaseMs, slots.served());

/**
 * Tells when slots are free that were all in use: more may be pending then. The first of them is used at once where there are
 * few; of many some are filled together, as a claim costs as much for one as for several.
 */
const createWakeUps = ({ slots: most }: Pick<WorkerDeps, 'slots'>, slots: Pick<Slots, 'free'>) => {
  let freed = new AbortController();
  let gathered = new AbortController();
  return {
    /** Free slots from now on. */
    look: (): { readonly freed: AbortSignal; readonly gathered: AbortSignal } => {
      freed = new AbortController();
      gathered = new AbortController();
      return { freed: freed.signal, gathered: gathered.signal };
    },
    ended: (how: WorkEnding): void => {
      if (!mayLeaveMore(how)) return;
      freed.abort();
      if (most <= FEW_SLOTS || slots.free() >= most * GATHERED) gathered.abort();
    },
  };
};

/**
 * Only behind work that is put off, which nobody can claim at once: what is given back as done may be pending still, as far as
 * the views know.
 */
const mayLeaveMore = (how: WorkEnding): boolean => typeof how === 'object';

/** A kind of work that is leased, and that nobody here can do, would be claimed and given back for ever. */
const handlersByKind = ({ leases, handlers }: WorkerDeps): ((lease: Lease) => WorkHandler) => {
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]));
  const kinds = [...byKind.keys()].toSorted().join(', ');
  const asked = leases.kinds.toSorted().join(', ');
  if (kinds !== asked)
    throw new Error(`leases are on ${asked}, handlers are of ${kinds || 'none'}: they must be the same`);
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

/** Before anything is put down, for which there may be no time. */
const leave = async ({ leases, owner, log }: WorkerDeps): Promise<void> => {
  try {
    await leases.leave(owner);
  } catch (error) {
    log.warn('leases not marked as those of a worker that stops', { error: (error as Error).message });
  }
};

import type { Clock } from '../ports/identity.ts';

/** Slots for leased work that runs at once in this process, shared fairly between tenants. */
export interface Slots {
  /** Number of slots that no work uses or waits for; negative if more work waits than there are slots. */
  readonly free: () => number;
  /** How many more work items may wait for a slot. */
  readonly room: () => number;
  /**
   * Tenants that use or wait for at least their fair share of the slots. Other processes should claim their further
   * work.
   */
  readonly served: () => readonly string[];
  /**
   * Waits for a slot. The tenant with the least running work goes first, then the work that has waited longest.
   *
   * @throws the reason of `signal` if it aborts before a slot is free
   */
  readonly take: (tenant: string, signal: AbortSignal) => Promise<Slot>;
}

/** A slot held by one work item. */
export interface Slot {
  /**
   * Once this work has held the slot for `SLICE_MS`, hands it to waiting work of a tenant with less running work, and
   * resolves when this work has a slot again. Resolves at once if no such work waits. Concurrent calls wait together.
   *
   * @param idleUntil if given, the slot is free for any work at once, and this work waits for its next one after that;
   * resolves at once if `WAITING_PER_SLOT` idle work items per slot are there already. It must not reject
   * @throws the reason of `signal` if it aborts before
   */
  readonly yield: (signal: AbortSignal, idleUntil?: Promise<void>) => Promise<void>;
  /** Also of a slot that is still waited for. Idempotent. */
  readonly release: () => void;
}

export interface SlotsOptions {
  readonly slots: number;
  /**
   * Additional slots, each for a tenant without other running work, which then starts without waiting for a time slice
   * to end. Default: 0.
   */
  readonly reserved?: number;
  readonly clock: Clock;
}

/** Time slice: how long work keeps its slot while work of another tenant waits, in milliseconds. */
const SLICE_MS = 5_000;
/**
 * Maximum number of waiting work items per slot, and of idle ones. Bounded because they hold leases and memory, and poll
 * their streams.
 */
const WAITING_PER_SLOT = 8;

interface Waiting {
  readonly tenant: string;
  readonly begin: () => void;
}

export const createSlots = ({ slots, reserved = 0, clock }: SlotsOptions): Slots => {
  const running = new Map<string, number>();
  let [inUse, idle] = [0, 0];
  /** In order of arrival. */
  const waiting = new Set<Waiting>();

  const runningOf = (tenant: string): number => running.get(tenant) ?? 0;
  const change = (tenant: string, by: 1 | -1): void => {
    inUse += by;
    const count = runningOf(tenant) + by;
    if (count === 0) running.delete(tenant);
    else running.set(tenant, count);
  };
  const next = (): Waiting | null =>
    [...waiting].reduce<Waiting | null>(
      (best, one) => (best === null || runningOf(one.tenant) < runningOf(best.tenant) ? one : best),
      null,
    );
  const mayBegin = ({ tenant }: Waiting): boolean =>
    inUse < slots || (inUse < slots + reserved && runningOf(tenant) === 0);
  const fill = (): void => {
    for (let one = next(); one !== null && mayBegin(one); one = next()) {
      waiting.delete(one);
      change(one.tenant, 1);
      one.begin();
    }
  };
  const wait = (tenant: string, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      waiting.delete(one);
      reject(signal.reason);
    };
    const one: Waiting = {
      tenant,
      begin: () => {
        signal.removeEventListener('abort', abort);
        resolve();
      },
    };
    if (signal.aborted) return Promise.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    waiting.add(one);
    fill();
    return promise;
  };

  const slotOf = (tenant: string): Slot => {
    let since = clock.now();
    let held = true;
    let hasEnded = false;
    let waitingAgain: Promise<void> | null = null;
    const handOver = (): void => {
      if (!held) return;
      held = false;
      change(tenant, -1);
      fill();
    };
    const takeAgain = async (signal: AbortSignal, idleUntil?: Promise<void>): Promise<void> => {
      try {
        handOver();
        if (idleUntil !== undefined) {
          idle += 1;
          await idleUntil;
          idle -= 1;
        }
        await wait(tenant, signal);
        held = true;
        since = clock.now();
        if (hasEnded) handOver();
      } finally {
        waitingAgain = null;
      }
    };
    const isTurnOver = (): boolean => {
      if (!held || clock.now() - since < SLICE_MS) return false;
      const other = next();
      return other !== null && runningOf(other.tenant) < runningOf(tenant);
    };
    return {
      release: () => {
        hasEnded = true;
        handOver();
      },
      yield: async (signal, idleUntil) => {
        if (waitingAgain !== null) return waitingAgain;
        const mayYield = idleUntil === undefined ? isTurnOver() : held && idle < slots * WAITING_PER_SLOT;
        if (!mayYield) return;
        waitingAgain = takeAgain(signal, idleUntil);
        return waitingAgain;
      },
    };
  };

  return {
    free: () => slots - inUse - waiting.size,
    room: () => slots * WAITING_PER_SLOT - waiting.size,
    served: () => {
      const counts = new Map(running);
      for (const { tenant } of waiting) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
      const share = Math.max(1, Math.floor(slots / Math.max(1, counts.size)));
      return [...counts].filter(([, count]) => count >= share).map(([tenant]) => tenant);
    },
    take: async (tenant, signal) => {
      await wait(tenant, signal);
      return slotOf(tenant);
    },
  };
};

import { type EventCodec, decodeKnown } from '../event-sourcing/event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { Lease, WorkLeases } from '../ports/leases.ts';
import type { Slot } from './slots.ts';
import { type Claim, type StopReason, type Work, WorkLost } from './work-handler.ts';

/** How often running work checks whether it has to stop: a cancel must arrive in less than 2 s. */
const POLL_MS = 500;

export interface WatchDeps {
  /** Must not be a retrying store: the check for a cancel must not wait. */
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

/** Watches stream and lease while `work` runs. Aborts the signal of `work` with a StopReason when it has to stop. */
export const watch = async <T>(
  { store, codec, every }: WatchDeps,
  { lost, hasExpired }: Pick<RenewedLease, 'lost' | 'hasExpired'>,
  { stream, revision, stopReason, graceMs = 0 }: Claim,
  shutdown: AbortSignal,
  slot: Pick<Slot, 'yield'>,
  work: Work<T>,
): Promise<T> => {
  const stopped = new AbortController();
  const stop = (reason: StopReason): void => stopped.abort(reason);
  const shutDown = (): void => {
    if (graceMs === 0) return stop('shutdown');
    const grace = every(graceMs, async () => stop('shutdown'));
    forget.push(grace.stop);
  };
  const forget = [onAbort(lost, () => stop('lease_lost'))];
  forget.push(onAbort(shutdown, shutDown));
  const assertLeaseHeld = (): void => {
    if (!hasExpired()) return;
    stop('lease_lost');
    throw new WorkLost('the lease has expired');
  };
  let seen = revision;
  const watching = every(POLL_MS, async () => {
    if (hasExpired()) stop('lease_lost');
    const newer = await store.readStream(stream, seen + 1n);
    seen = newer.at(-1)?.revision ?? seen;
    for (const recorded of newer) {
      const event = decodeKnown(codec, recorded);
      const reason = event === null ? 'outdated' : stopReason(event);
      if (reason !== undefined) return stop(reason);
    }
  });
  try {
    return await work(stopped.signal, assertLeaseHeld, (idleUntil) => slot.yield(stopped.signal, idleUntil));
  } finally {
    watching.stop();
    for (const each of forget) each();
  }
};

/** Calls `then` when the signal aborts, or at once if it already has. Returns the function that unsubscribes. */
const onAbort = (signal: AbortSignal, then: () => void): (() => void) => {
  if (signal.aborted) then();
  signal.addEventListener('abort', then, { once: true });
  return () => signal.removeEventListener('abort', then);
};

/** Renewals per lease duration. */
const RENEWALS = 3;
/**
 * A worker that could not renew its lease stops before the end of it; the last fraction of the lease is a safety
 * margin.
 */
const MARGIN = 1 / 12;

export interface RenewLeaseDeps {
  readonly leases: Pick<WorkLeases, 'renew' | 'release' | 'defer'>;
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
  readonly owner: string;
  /** Lease duration in milliseconds: the work of a dead process stays leased that long. */
  readonly leaseMs: number;
}

export interface RenewedLease {
  readonly lease: Lease;
  /** Aborts when a renewal is refused. */
  readonly lost: AbortSignal;
  /** Whether the lease could not be renewed in time: another worker may take it at any moment. */
  readonly hasExpired: () => boolean;
}

/**
 * Renews a lease until `work` has settled, whatever `work` waits for: an event store that is unavailable before the job
 * is claimed, or when its end is recorded, must not cost the lease.
 */
export const renewWhile = async <T>(
  { leases, clock, every, owner, leaseMs }: RenewLeaseDeps,
  lease: Lease,
  work: (kept: RenewedLease) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  let renewedAt = clock.now();
  const renewing = every(leaseMs / RENEWALS, async () => {
    const at = clock.now();
    if (await leases.renew(owner, lease, leaseMs)) renewedAt = at;
    else lost.abort();
  });
  try {
    const hasExpired = (): boolean => clock.now() - renewedAt > leaseMs * (1 - MARGIN);
    return await work({ lease, lost: lost.signal, hasExpired });
  } finally {
    renewing.stop();
  }
};

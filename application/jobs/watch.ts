import { type EventCodec, decodeKnown } from '../event-sourcing/event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { Lease, WorkLeases } from '../ports/leases.ts';
import type { Slot } from './slots.ts';
import { type Claim, type StopReason, type Work, WorkLost } from './work-handler.ts';

/** How often work under way looks whether it was told to stop: a cancel must reach it in under 2 s. */
const POLL_MS = 500;

export interface WatchDeps {
  /** Does not wait where it is away: to watch for a cancel must not take long. */
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}

/** Watches stream and lease while `work` runs; aborts its signal with a StopReason when it is to stop. */
export const watch = async <T>(
  { store, codec, every }: WatchDeps,
  { lost, hasRunOut }: Pick<KeptLease, 'lost' | 'hasRunOut'>,
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
  const mustHoldLease = (): void => {
    if (!hasRunOut()) return;
    stop('lease_lost');
    throw new WorkLost('its lease has run out');
  };
  let seen = revision;
  const watching = every(POLL_MS, async () => {
    if (hasRunOut()) stop('lease_lost');
    const newer = await store.readStream(stream, seen + 1n);
    seen = newer.at(-1)?.revision ?? seen;
    for (const recorded of newer) {
      const event = decodeKnown(codec, recorded);
      const reason = event === null ? 'outdated' : stopReason(event);
      if (reason !== undefined) return stop(reason);
    }
  });
  try {
    return await work(stopped.signal, mustHoldLease, () => slot.yield(stopped.signal));
  } finally {
    watching.stop();
    for (const each of forget) each();
  }
};

/** Calls it at once where the signal has aborted already. Answers how to take it back. */
const onAbort = (signal: AbortSignal, then: () => void): (() => void) => {
  if (signal.aborted) then();
  signal.addEventListener('abort', then, { once: true });
  return () => signal.removeEventListener('abort', then);
};

/** A lease is renewed this often in its length. */
const RENEWALS = 3;
/** The part of its lease that a worker does not use which could not renew it: it stops before. */
const MARGIN = 1 / 12;

export interface KeepLeaseDeps {
  readonly leases: Pick<WorkLeases, 'renew' | 'release' | 'defer'>;
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
  readonly owner: string;
  /** How long the work of a process that died stays its own, in milliseconds. */
  readonly leaseMs: number;
}

export interface KeptLease {
  readonly lease: Lease;
  /** Aborts when a renewal is refused. */
  readonly lost: AbortSignal;
  /** A lease that could not be renewed in time is nobody's: another worker may take it any moment. */
  readonly hasRunOut: () => boolean;
}

/**
 * Keeps a lease alive from its claim until `work` has ended, whatever it waits for meanwhile: an event store that is away
 * before the job is claimed, or when its end is reported, must not cost the lease.
 */
export const keepLease = async <T>(
  { leases, clock, every, owner, leaseMs }: KeepLeaseDeps,
  lease: Lease,
  work: (kept: KeptLease) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  let renewedAt = clock.now();
  const renewing = every(leaseMs / RENEWALS, async () => {
    const at = clock.now();
    if (await leases.renew(owner, lease, leaseMs)) renewedAt = at;
    else lost.abort();
  });
  try {
    const hasRunOut = (): boolean => clock.now() - renewedAt > leaseMs * (1 - MARGIN);
    return await work({ lease, lost: lost.signal, hasRunOut });
  } finally {
    renewing.stop();
  }
};

import type { Clock } from '../ports/identity.ts';
import type { Lease, WorkLeases } from '../ports/leases.ts';

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

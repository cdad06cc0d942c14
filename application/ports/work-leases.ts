/** Who may work on a data source at present. The real fence is the exact-revision append of JobClaimed. */
export interface Lease {
  readonly data_source_id: string;
  readonly tenant: string;
  /** Rises with every claim of this data source's lease. */
  readonly token: bigint;
  /** `run`: a queued job. `purge`: an accepted deletion. `erase`: bytes of documents that were taken out. */
  readonly purpose: 'run' | 'purge' | 'erase';
  /** How often this purpose was claimed without being released as done. Counted at the claim, before the work. */
  readonly attempt: number;
}

export interface Abandoned {
  readonly data_source_id: string;
  readonly tenant: string;
  readonly status: 'starting' | 'started' | 'canceling';
  readonly job_id: string;
  readonly epoch: number;
  readonly reason: 'worker_lost' | 'timed_out' | 'cancel_timed_out';
}

export interface WorkLeases {
  /**
   * Takes up to `limit` leases on what is owed and not held: queued jobs whose `not_before` has come, and accepted
   * deletions. Fair over tenants: the tenant with the fewest live leases first, then the oldest. Atomic per lease.
   */
  readonly claim: (owner: string, limit: number, leaseMs: number) => Promise<readonly Lease[]>;
  /** The lease on this data source to erase; null while somebody holds it. */
  readonly claimToErase: (
    owner: string,
    of: Pick<Lease, 'data_source_id' | 'tenant'>,
    leaseMs: number,
  ) => Promise<Lease | null>;
  /** Prolongs it. False: the lease was lost, stop at once. */
  readonly renew: (owner: string, lease: Lease, leaseMs: number) => Promise<boolean>;
  /**
   * Gives it back. `done` forgets the attempts; `stopped`, an orderly stop in the middle, takes this one back. A lost
   * lease is left alone.
   */
  readonly release: (owner: string, lease: Lease, how: 'done' | 'stopped') => Promise<void>;
  /** Jobs that no live lease holds, or that outlived a limit. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly Abandoned[]>;
  /** Embedded mode: owners other than `owner` are dead; ends their leases. Returns how many. */
  readonly takeOver: (owner: string) => Promise<number>;
}

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
  /** How many of those attempts were put off for what waiting does not mend. */
  readonly lasting: number;
}

/** How long work is put off, and whether for what waiting may mend. */
export interface PutOff {
  readonly ms: number;
  readonly passing: boolean;
}

export interface Abandoned {
  readonly data_source_id: string;
  readonly tenant: string;
  readonly status: 'starting' | 'started' | 'canceling';
  readonly job_id: string;
  readonly epoch: number;
  /** `worker_stopped`: its worker was told to stop, and had no time to put it down. */
  readonly reason: 'worker_lost' | 'worker_stopped' | 'timed_out' | 'cancel_timed_out';
}

export interface WorkLeases {
  /**
   * Takes up to `limit` leases on what is owed and neither held nor put off: queued jobs whose `not_before` has come,
   * and accepted deletions. Fair over tenants: the tenant with the fewest live leases first, then the oldest. Atomic per lease.
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
   * Gives it back. `done` forgets the attempts; `stopped`, an orderly stop in the middle, takes this one back; `gone`
   * forgets all that is known of work on this data source, which is no more. A lost lease is left alone.
   */
  readonly release: (owner: string, lease: Lease, how: 'done' | 'stopped' | 'gone') => Promise<void>;
  /**
   * Gives it back after a failed try, which counts: nobody may claim it before the pause is over, whatever is stopped
   * or started meanwhile. Nobody holds it in the pause. A lost lease is left alone.
   */
  readonly putOff: (owner: string, lease: Lease, pause: PutOff) => Promise<void>;
  /** Jobs that no live lease holds, or that outlived a limit. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly Abandoned[]>;
  /** Deletions that were given up at `before` (Unix milliseconds) or earlier, oldest first. */
  readonly failedDeletions: (
    before: number,
    limit: number,
  ) => Promise<readonly Pick<Lease, 'data_source_id' | 'tenant'>[]>;
  /**
   * Deletes leases, and plans of schedules, of data sources that are no more: a process may die, or a schedule be
   * planned, between the last word about a data source and the end of its lease. Answers how many.
   */
  readonly forgetRemoved: () => Promise<number>;
  /** Notes that the owner was told to stop: work that it then does not give back was not lost by any fault of its own. */
  readonly leave: (owner: string) => Promise<void>;
  /** Embedded mode: owners other than `owner` are dead; ends their leases. Returns how many. */
  readonly takeOver: (owner: string) => Promise<number>;
}

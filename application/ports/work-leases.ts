/** Who may work on one thing at present. The real fence is an append at the exact revision, by whoever does the work. */
export interface Lease {
  /** Which work it is: see `WorkLeases`. */
  readonly kind: string;
  /** What is worked on, by one owner at a time, whatever the kind of the work. Unique over all kinds of things. */
  readonly id: string;
  readonly tenant: string;
  /** Rises with every claim of a lease on this thing. */
  readonly token: bigint;
  /** How often this kind of work was claimed without being released as done. Counted at the claim, before the work. */
  readonly attempt: number;
  /** How many of those attempts were put off for what waiting does not mend. */
  readonly lasting: number;
}

/** How long work is put off, and whether for what waiting may mend. */
export interface PutOff {
  readonly ms: number;
  readonly transient: boolean;
}

/** Work under way that nobody holds, or that has outlived a limit of its kind. */
export interface Abandoned extends Pick<Lease, 'kind' | 'id' | 'tenant'> {
  /** `stopped`: it was told to stop, and had no time to put its work down. */
  readonly worker: 'alive' | 'stopped' | 'lost';
  /** Whether a limit of its kind has passed, whoever holds it. */
  readonly overdue: boolean;
  /** Who was at work on what, as its kind tells it. */
  readonly claim: unknown;
}

/**
 * Leases on work of every kind that the service knows. What a kind owes, and what of it is under way, its own question to
 * the read models says; a thing owes one kind of work at a time.
 */
export interface WorkLeases {
  /** The kinds that `claim` and `abandoned` ask for. */
  readonly kinds: readonly string[];
  /**
   * Takes up to `limit` leases on what is owed and neither held nor put off. Fair over tenants, of all kinds together: the
   * tenant with the fewest live leases first, then what is owed for longest. Atomic per lease.
   */
  readonly claim: (owner: string, limit: number, leaseMs: number) => Promise<readonly Lease[]>;
  /** The lease on this thing, whether or not anything is owed; null while somebody holds it, or it is put off. */
  readonly claimOne: (
    owner: string,
    work: Pick<Lease, 'kind' | 'id' | 'tenant'>,
    leaseMs: number,
  ) => Promise<Lease | null>;
  /** Prolongs it. False: the lease was lost, stop at once. */
  readonly renew: (owner: string, lease: Lease, leaseMs: number) => Promise<boolean>;
  /**
   * Gives it back. `done` forgets the attempts; `stopped`, an orderly stop in the middle, takes this one back; `gone`
   * forgets all that is known of work on this thing, which is no more. A lost lease is left alone.
   */
  readonly release: (owner: string, lease: Lease, how: 'done' | 'stopped' | 'gone') => Promise<void>;
  /**
   * Gives it back after a failed try, which counts: nobody may claim it before the pause is over, whatever is stopped
   * or started meanwhile. Nobody holds it in the pause. A lost lease is left alone.
   */
  readonly putOff: (owner: string, lease: Lease, pause: PutOff) => Promise<void>;
  /** Work under way that no live lease holds, or that outlived a limit. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly Abandoned[]>;
  /** Notes that the owner was told to stop: work that it then does not give back was not lost by any fault of its own. */
  readonly leave: (owner: string) => Promise<void>;
  /** Embedded mode: owners other than `owner` are dead; ends their leases. Returns how many. */
  readonly takeOver: (owner: string) => Promise<number>;
}

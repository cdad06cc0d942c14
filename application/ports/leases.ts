import { DomainError } from '../../domain/shared/domain-error.ts';

/**
 * Leases: which worker works on what, and until when, across all processes. They avoid duplicate work, and reveal work
 * that a dead process left behind. They do not exclude a second writer: an append at the exact revision does.
 */

export interface Lease {
  /** The kind of work: see `WorkLeases`. */
  readonly kind: string;
  /**
   * The object of the work, such as a data source. One owner at a time works on it, whatever the kind of work. Unique
   * over all kinds.
   */
  readonly id: string;
  readonly tenant: string;
  /** Increases with every claim of a lease on this id. */
  readonly token: bigint;
  /** Number of claims of this kind of work since the last release as done. Counted at the claim, before the work. */
  readonly attempt: number;
  /** Number of those attempts that failed for a permanent reason. */
  readonly lasting: number;
}

/** How long work is deferred, and whether the reason is transient. */
export interface Deferral {
  readonly ms: number;
  readonly transient: boolean;
}

/** Running work without a live owner, or beyond a time limit of its kind. */
export interface Abandoned extends Pick<Lease, 'kind' | 'id' | 'tenant'> {
  /** `stopped`: the worker was told to stop and could not release its work in time. */
  readonly worker: 'alive' | 'stopped' | 'lost';
  /** Whether a time limit of its kind has passed, with or without a live owner. */
  readonly overdue: boolean;
  /** The claim, in the format of its kind. */
  readonly claim: unknown;
}

/**
 * Leases on every kind of work. Each kind has a query on the read models that returns pending and running work. An id
 * has pending work of one kind at a time.
 */
export interface WorkLeases {
  /** The kinds that `claim` and `abandoned` search. */
  readonly kinds: readonly string[];
  /**
   * Takes up to `limit` leases on pending work that is neither leased nor deferred. Fair over tenants, for all kinds
   * together: the tenant with the fewest live leases first, then the work that has been pending longest. Atomic per
   * lease.
   *
   * @param except tenants whose work is not claimed
   */
  readonly claim: (
    owner: string,
    limit: number,
    leaseMs: number,
    except?: readonly string[],
  ) => Promise<readonly Lease[]>;
  /** Takes the lease on this id, whether or not work is pending. Null if it is leased or deferred. */
  readonly claimOne: (
    owner: string,
    work: Pick<Lease, 'kind' | 'id' | 'tenant'>,
    leaseMs: number,
  ) => Promise<Lease | null>;
  /** Extends the lease. False: the lease was lost, and the worker must stop at once. */
  readonly renew: (owner: string, lease: Lease, leaseMs: number) => Promise<boolean>;
  /**
   * Releases the lease. `done` resets the attempts. `stopped` means an orderly stop before the end and does not count
   * this attempt. `gone` deletes all work on an id that no longer exists. A lost lease is left unchanged.
   */
  readonly release: (owner: string, lease: Lease, how: 'done' | 'stopped' | 'gone') => Promise<void>;
  /**
   * Releases the lease after a failed attempt, which counts. No worker can claim the work before the pause is over,
   * even after a restart. A lost lease is left unchanged.
   */
  readonly defer: (owner: string, lease: Lease, pause: Deferral) => Promise<void>;
  /** Running work without a live lease, or beyond a time limit. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly Abandoned[]>;
  /**
   * Records that the owner was told to stop, so that work which it does not release in time counts as stopped, not as
   * lost.
   */
  readonly leave: (owner: string) => Promise<void>;
  /**
   * Embedded mode: all owners but this one are dead; ends their leases. Their work counts as `stopped`, for a crash of the
   * whole service is not its fault, unless it was under way at more than ten crashes in a row. Returns how many.
   */
  readonly takeOver: (owner: string) => Promise<number>;
}

/** An upload that a process is receiving. */
export interface UploadLease {
  /** Id of the file area that holds its bytes. */
  readonly id: string;
  readonly tenant: string;
  /** The data source that was created for the upload and is deleted with it; null: none. */
  readonly createdId: string | null;
}

/** Uploads in progress. Stored outside the read models; a rebuild does not touch them. */
export interface UploadLeases {
  /** Takes the lease for `ms` from now on. If the upload has a lease, replaces its facts. */
  readonly hold: (upload: UploadLease, ms: number) => Promise<void>;
  /** Extends the lease for `ms`. False: the upload was treated as abandoned, and its traces were deleted. */
  readonly renew: (id: string, ms: number) => Promise<boolean>;
  /** The upload is over. */
  readonly release: (id: string) => Promise<void>;
  /** Uploads with an expired lease, up to `limit`. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly UploadLease[]>;
}

/** Answers that are being written. A live lease distinguishes a long answer from one whose process died. */
export interface AnswerLeases {
  /** Takes or extends the lease on an answer for `ms` from now on. */
  readonly hold: (answerId: string, ms: number) => Promise<void>;
  /** Uses the same clock as `hold`. */
  readonly isHeld: (answerId: string) => Promise<boolean>;
  /** Idempotent. */
  readonly release: (answerId: string) => Promise<void>;
  /** Embedded mode: all processes that held an answer are dead. */
  readonly takeOver: () => Promise<void>;
}

/** The first request with this `Idempotency-Key` is still running. The same request succeeds later. */
export class AnswerInProgress extends DomainError {
  constructor() {
    super(
      'conflict',
      'the first request with this Idempotency-Key is still being answered: repeat it later, with the same key',
    );
  }
}

/**
 * Leases on the renewal of secrets: one renewal at a time, across all processes. A provider that exchanges an old token
 * for a new one may treat a second use of the old token as theft and revoke both.
 */
export interface RenewalLeases {
  /**
   * Takes the lease for `ms`, measured by one clock for all processes. Resolves to the function that releases it, or to
   * null if another process holds it.
   */
  readonly take: (secretId: string, ms: number) => Promise<(() => Promise<void>) | null>;
}

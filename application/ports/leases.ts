import { DomainError } from '../../domain/shared/domain-error.ts';

/**
 * Leases: who works on what at present, over all processes, and until when. They save double work and find work that a
 * dead process left behind. What decides between two writers is always an append at the exact revision.
 */

export interface Lease {
  /** The kind of work: see `WorkLeases`. */
  readonly kind: string;
  /** What is worked on, by one owner at a time, whatever the kind of work. Unique over all kinds. */
  readonly id: string;
  readonly tenant: string;
  /** Rises with every claim of a lease on this id. */
  readonly token: bigint;
  /** How often this kind of work was claimed without being released as done. Counted at the claim, before the work. */
  readonly attempt: number;
  /** How many of those attempts were put off for a reason that waiting does not mend. */
  readonly lasting: number;
}

/** How long work is put off, and whether for a reason that waiting may mend. */
export interface Deferral {
  readonly ms: number;
  readonly transient: boolean;
}

/** Work under way that no owner holds, or that has outlived a limit of its kind. */
export interface Abandoned extends Pick<Lease, 'kind' | 'id' | 'tenant'> {
  /** `stopped`: the worker was told to stop and had no time to release its work. */
  readonly worker: 'alive' | 'stopped' | 'lost';
  /** Whether a limit of its kind has passed, whoever holds it. */
  readonly overdue: boolean;
  /** The claim in the terms of its kind. */
  readonly claim: unknown;
}

/**
 * Leases on every kind of work. Each kind has a query on the read models that says which work is pending and which is under
 * way; an id owes one kind of work at a time.
 */
export interface WorkLeases {
  /** The kinds that `claim` and `abandoned` look for. */
  readonly kinds: readonly string[];
  /**
   * Takes up to `limit` leases on work that is pending and neither held nor put off. Fair over tenants, of all kinds
   * together: the tenant with the fewest live leases first, then the work pending for longest. Atomic per lease.
   *
   * @param except tenants whose work is left where it is
   */
  readonly claim: (
    owner: string,
    limit: number,
    leaseMs: number,
    except?: readonly string[],
  ) => Promise<readonly Lease[]>;
  /** The lease on this id, whether or not work is pending; null while it is held or put off. */
  readonly claimOne: (
    owner: string,
    work: Pick<Lease, 'kind' | 'id' | 'tenant'>,
    leaseMs: number,
  ) => Promise<Lease | null>;
  /** Prolongs it. False: the lease was lost, stop at once. */
  readonly renew: (owner: string, lease: Lease, leaseMs: number) => Promise<boolean>;
  /**
   * Gives it back. `done` resets the attempts; `stopped`, an orderly stop in the middle, does not count this attempt;
   * `gone` forgets all work on an id that exists no more. A lost lease is left alone.
   */
  readonly release: (owner: string, lease: Lease, how: 'done' | 'stopped' | 'gone') => Promise<void>;
  /**
   * Gives it back after a failed attempt, which counts: nobody may claim it before the pause is over, whatever is
   * stopped or started meanwhile. A lost lease is left alone.
   */
  readonly defer: (owner: string, lease: Lease, pause: Deferral) => Promise<void>;
  /** Work under way that no live lease holds, or that outlived a limit. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly Abandoned[]>;
  /** Notes that the owner was told to stop: work that it does not release was not lost by its own fault. */
  readonly leave: (owner: string) => Promise<void>;
  /** Embedded mode: all owners but this one are dead; ends their leases. Returns how many. */
  readonly takeOver: (owner: string) => Promise<number>;
}

/** One upload that a process is receiving. */
export interface UploadLease {
  /** Of the area that its bytes wait in. */
  readonly id: string;
  readonly tenant: string;
  /** The data source that was registered for it and is deleted with it; null: none. */
  readonly createdId: string | null;
}

/** Uploads that are being received at present. Kept beside the read models; no rebuild touches them. */
export interface UploadLeases {
  /** From now on and for `ms`; of one that is known, the facts are replaced. */
  readonly hold: (upload: UploadLease, ms: number) => Promise<void>;
  /** Holds it for `ms` more. False: it was given up as abandoned, and its traces were deleted. */
  readonly renew: (id: string, ms: number) => Promise<boolean>;
  /** The upload is over. */
  readonly release: (id: string) => Promise<void>;
  /** Uploads whose lease has run out, up to `limit`. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly UploadLease[]>;
}

/** Answers that are being written at present: tells a long answer from one whose process died. */
export interface AnswerLeases {
  /** Holds an answer for `ms` from now on, whether or not it was held. */
  readonly hold: (answerId: string, ms: number) => Promise<void>;
  /** By the same clock as `hold`. */
  readonly isHeld: (answerId: string) => Promise<boolean>;
  /** Idempotent. */
  readonly release: (answerId: string) => Promise<void>;
}

/** The first request with an `Idempotency-Key` is not answered yet; the same request succeeds later. */
export class StillAnswering extends DomainError {
  constructor() {
    super(
      'conflict',
      'the first request with this Idempotency-Key is still being answered: repeat it later, with the same key',
    );
  }
}

/**
 * Renewals of secrets by their provider, one at a time over all processes: a provider that gives a new token for an old
 * one may take a second use of the old one for theft, and void both.
 */
export interface RenewalLeases {
  /** Takes the lease for `ms`, by one clock for all. Resolves to the function that gives it back; null: it is taken. */
  readonly take: (secretId: string, ms: number) => Promise<(() => Promise<void>) | null>;
}

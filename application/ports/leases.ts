import { DomainError } from '../../domain/shared/domain-error.ts';

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

/** One upload that a process is receiving. */
export interface UploadUnderWay {
  /** Of the area that its bytes wait in. */
  readonly id: string;
  readonly tenant: string;
  /** The data source that was registered for it, and is to go with it; null: none. */
  readonly createdId: string | null;
}

/**
 * Which uploads are being received at present, by whatever process: what a process that died has left behind is found
 * here. Kept beside the read models; no rebuild touches it.
 */
export interface UploadsUnderWay {
  /** From now on and for `ms`; known already, its facts are replaced. */
  readonly hold: (upload: UploadUnderWay, ms: number) => Promise<void>;
  /** Holds it for `ms` more. False: it was given up as abandoned, and what had come of it is gone. */
  readonly renew: (id: string, ms: number) => Promise<boolean>;
  /** It is over, and nothing of it is left but what was told of. */
  readonly release: (id: string) => Promise<void>;
  /** Those that nobody holds any more, up to `limit`. Unordered. */
  readonly abandoned: (limit: number) => Promise<readonly UploadUnderWay[]>;
}

/**
 * Which answers are being written at present, by whatever process. An aid to tell a long answer from one whose process
 * died: what decides between two writers is the exact revision of the conversation.
 */
export interface AnswerHolds {
  /** Holds an answer for `ms` from now on, whether or not it was held. */
  readonly hold: (answerId: string, ms: number) => Promise<void>;
  /** By the clock that `hold` goes by. */
  readonly isHeld: (answerId: string) => Promise<boolean>;
  /** Of one that is not held nothing happens. */
  readonly release: (answerId: string) => Promise<void>;
}

/** The first request with an `Idempotency-Key` is not answered yet. It passes: the same request does better later. */
export class StillAnswering extends DomainError {
  constructor() {
    super(
      'conflict',
      'the first request with this Idempotency-Key is still being answered: repeat it later, with the same key',
    );
  }
}

/**
 * Whose turn it is to have a secret renewed by its provider: one at a time over all processes, for a provider that gives
 * a new token for an old one may take a second use of the old one for theft, and void both.
 */
export interface RenewalTurns {
  /** Takes the turn for `ms`, by one clock for all, unless somebody has it. Answers what gives it back; null: taken. */
  readonly take: (secretId: string, ms: number) => Promise<(() => Promise<void>) | null>;
}

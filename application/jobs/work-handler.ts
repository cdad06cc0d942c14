import type { DomainEvent } from '../event-sourcing/aggregates.ts';
import type { Abandoned, Lease, Deferral } from '../ports/leases.ts';

/**
 * One kind of work: what a lease on it stands for. The worker takes leases, keeps them while the work is done, and gives
 * them back; pending work in the first place says the question of this kind that `WorkLeases` asks.
 */
export interface WorkHandler {
  readonly kind: string;
  /** What log lines and traces call the id of what it works on. */
  readonly idName: string;
  /**
   * Does what the lease stands for, records how it ended, and says what is to become of the lease. What it throws is
   * logged, and gives the lease back as done.
   */
  readonly run: (held: HeldWork) => Promise<WorkEnding>;
  /**
   * Records what becomes of work under way whose worker is lost, or whose limit has passed. Any process may do so, often,
   * and late: the work may have ended, or been claimed anew, in the meantime.
   *
   * @throws DomainError conflict where there is nothing to record any more
   */
  readonly abandoned?: (found: Abandoned) => Promise<void>;
  /** Looks after what rests, about once a minute in every worker. */
  readonly tidy?: () => Promise<void>;
}

/** Work whose lease this process holds. The lease is kept until `run` has settled. */
export interface HeldWork {
  readonly lease: Lease;
  /** Aborts when this process is to stop. */
  readonly shutdown: AbortSignal;
  /** Whether the lease is lost: whoever has it by now may do the work as well, so nothing may be begun. */
  readonly isLost: () => boolean;
  /**
   * Runs `work` while its stream and its lease are watched; its signal aborts with a StopReason when it is to stop.
   * `work` must settle soon after. Settles as `work` does.
   */
  readonly watched: <T>(claim: Claim, work: Work<T>) => Promise<T>;
}

/**
 * @param mustHoldLease to be called before anything is written that no revision fences. A process that was frozen for longer
 * than its lease goes on where it was, before any timer or answer can tell it what has become of its work. It throws
 * WorkLost when the lease has run out
 */
export type Work<T> = (signal: AbortSignal, mustHoldLease: () => void, yieldSlot: YieldSlot) => Promise<T>;

/**
 * To be called between two steps of long work. Where another tenant waits and this work has had its turn, the work gives
 * its slot away and waits for the next one: its lease goes on, and nothing is recorded. Concurrent calls wait together.
 *
 * @throws the StopReason, where the work is to stop meanwhile
 */
export type YieldSlot = () => Promise<void>;

/** Where the work stands in its stream, and which later events of that stream stop it. */
export interface Claim {
  readonly stream: string;
  /** Of the newest event that the claim knows. */
  readonly revision: bigint;
  /** Asked for each later event, in their order, as long as this version of the program knows them. */
  readonly stopReason: (event: DomainEvent) => StopReason | undefined;
  /** How long the work may go on once the process is to stop, in milliseconds: for what cannot be done again. Default: 0. */
  readonly graceMs?: number;
}

/**
 * Why work under way is told to stop: `lease_lost` and `shutdown` by the worker, the others by its stream. `outdated`: a
 * newer version of the program has written to it what this one does not know, and no command can be decided any more.
 */
export type StopReason = 'canceled' | 'deleted' | 'fenced' | 'outdated' | 'lease_lost' | 'shutdown';

/** Of a signal that has aborted. */
export const reasonOf = (signal: AbortSignal): StopReason => signal.reason as StopReason;

/** What becomes of a lease: `gone`, the thing is no more; `lost`, it is not ours any longer. */
export type WorkEnding = 'done' | 'stopped' | 'gone' | 'lost' | Deferral;

/** The work belongs to somebody else by now, or to nobody: stop, and write nothing more. */
export class WorkLost extends Error {
  override readonly name = 'WorkLost';
}

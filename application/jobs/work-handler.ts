import type { DomainEvent } from '../event-sourcing/aggregates.ts';
import type { Abandoned, Lease, Deferral } from '../ports/leases.ts';

/**
 * Handles one kind of work. The worker takes leases on it, renews them while the work runs, and releases them. The
 * query for this kind in `WorkLeases` defines which work is pending.
 */
export interface WorkHandler {
  readonly kind: string;
  /** Name of the work's id in log lines and traces. */
  readonly idName: string;
  /**
   * Does the leased work, records its result, and returns what happens to the lease. The worker logs an error that it
   * throws, and releases the lease as done; for an hour if a stream is damaged.
   */
  readonly run: (held: LeasedWork) => Promise<WorkOutcome>;
  /**
   * Ends or requeues running work whose worker is lost or whose time limit has passed. Any process may call it,
   * repeatedly and late: the work may have ended, or been claimed again, in the meantime.
   *
   * @throws DomainError conflict if there is nothing to record any more
   */
  readonly abandoned?: (found: Abandoned) => Promise<void>;
  /** Periodic clean-up, about once a minute in every worker. */
  readonly cleanUp?: () => Promise<void>;
}

/** Work leased by this process. The lease is renewed until `run` has settled. */
export interface LeasedWork {
  readonly lease: Lease;
  /** Aborts when this process has to stop. */
  readonly shutdown: AbortSignal;
  /** Whether the lease is lost. Another worker may then do the same work, so nothing new may begin. */
  readonly isLost: () => boolean;
  /**
   * Runs `work` while watching its stream and its lease. The signal of `work` aborts with a StopReason when it has to
   * stop; `work` must settle soon after. Settles like `work`.
   */
  readonly watched: <T>(claim: Claim, work: Work<T>) => Promise<T>;
}

/**
 * @param assertLeaseHeld call it before every write that no expected revision protects. A process that was frozen for
 * longer than its lease continues where it was, before any timer or answer can stop it. Throws WorkLost if the lease
 * has expired
 */
export type Work<T> = (signal: AbortSignal, assertLeaseHeld: () => void, yieldSlot: YieldSlot) => Promise<T>;

/**
 * Call it between two steps of long work. If another tenant waits and this work has used its time slice, the work
 * yields its slot and waits for the next one. Its lease is renewed meanwhile, and nothing is recorded. Concurrent calls
 * wait together.
 *
 * Work that only waits, such as for the pause that a host asked for, names the end of that in `idleUntil`: its slot is
 * free for any work until then (see `Slot.yield`).
 *
 * @throws the StopReason if the work has to stop meanwhile
 */
export type YieldSlot = (idleUntil?: Promise<void>) => Promise<void>;

/** The revision at which the work was claimed, and which later events of its stream stop it. */
export interface Claim {
  readonly stream: string;
  /** Revision of the newest event that the claim has seen. */
  readonly revision: bigint;
  /** Called for each later event in order, if this version of the program knows the event. */
  readonly stopReason: (event: DomainEvent) => StopReason | undefined;
  /**
   * How long the work may continue after the shutdown signal, in milliseconds, for work that cannot be repeated.
   * Default: 0.
   */
  readonly graceMs?: number;
}

/**
 * Why running work has to stop. The worker sets `lease_lost` and `shutdown`; events of the stream cause the others.
 * `outdated`: a newer version of the program appended an event that this version does not know, so it can no longer
 * decide commands.
 */
export type StopReason = 'canceled' | 'deleted' | 'fenced' | 'outdated' | 'lease_lost' | 'shutdown';

/** The StopReason of an aborted signal. */
export const stopReasonOf = (signal: AbortSignal): StopReason => signal.reason as StopReason;

/**
 * What happens to a lease. `gone`: the object of the work no longer exists. `lost`: this process no longer holds the
 * lease.
 */
export type WorkOutcome = 'done' | 'stopped' | 'gone' | 'lost' | Deferral;

/** This process no longer owns the work and must not write anything more. */
export class WorkLost extends Error {
  override readonly name = 'WorkLost';
}

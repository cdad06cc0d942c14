import { dataSource, type ExistingDataSource } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, sees } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type BackOffPolicy, createBackOff, contentionTimeout } from '../../event-sourcing/back-off.ts';
import { createKeyQueue } from '../../event-sourcing/key-queue.ts';
import { PUSH_WRITE } from '../ingestion/job.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Lease, WorkLeases } from '../../ports/leases.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';

export interface LockPushDeps {
  readonly execute: Execute;
  readonly leases: Pick<WorkLeases, 'claimOne' | 'release'>;
  /** Name of this process as an owner of leases. */
  readonly owner: string;
  readonly clock: Clock;
  readonly backOff: BackOffPolicy;
}

/** A push under an exclusive lock: no other report, eraser or deletion writes to it. */
export interface LockedPush {
  /** The current state of its stream. */
  readonly state: ExistingDataSource;
  /** Call it before every write that no expected revision protects. @throws DomainError unavailable */
  readonly assertLeaseHeld: () => void;
}

/**
 * Runs `use` with exclusive write access to one push, across all processes. Reports thereby take effect in order of
 * arrival. Do slow work before taking the lock.
 *
 * @param isKnown the caller has read the push already: without that, it is read first, so that nobody can lease what is
 * not theirs
 * @throws DomainError not_found; ContentionTimeout if other writers hold the push for too long; what `use` throws
 */
export type LockPush = <Result>(
  caller: Caller,
  id: string,
  use: (held: LockedPush) => Promise<Result>,
  isKnown?: boolean,
) => Promise<Result>;

const LEASE_MS = 60_000;
/** The fraction of the lease that is a safety margin. */
const MARGIN = 1 / 12;

export const createLockPush = (deps: LockPushDeps): LockPush => {
  const queue = createKeyQueue();
  return async (caller, id, use, isKnown = false) => {
    if (!isKnown) await loadPush(deps, caller, id);
    const { deadline, pause } = createBackOff(deps.backOff, caller.context.signal);
    const leave = await queue.enter(id, deadline).catch(() => {
      throw contentionTimeout();
    });
    try {
      return await underLease(deps, caller, id, pause, use);
    } finally {
      leave();
    }
  };
};

const underLease = async <Result>(
  deps: LockPushDeps,
  caller: Caller,
  id: string,
  pause: () => Promise<void>,
  use: (held: LockedPush) => Promise<Result>,
): Promise<Result> => {
  const { leases, owner, clock } = deps;
  let until = 0;
  let lease: Lease | null = null;
  while (lease === null) {
    until = clock.now() + LEASE_MS * (1 - MARGIN);
    lease = await leases.claimOne(owner, { kind: PUSH_WRITE, id, tenant: caller.tenant }, LEASE_MS);
    if (lease === null) await pause();
  }
  const assertLeaseHeld = (): void => {
    if (clock.now() > until) throw new DomainError('unavailable', 'this took too long: try again');
  };
  let how: 'done' | 'gone' = 'done';
  try {
    return await use({ state: await loadPush(deps, caller, id), assertLeaseHeld });
  } catch (error) {
    // After a deletion, no lease may be left either.
    if (error instanceof DomainError && error.code === 'not_found') how = 'gone';
    throw error;
  } finally {
    await leases.release(owner, lease, how);
  }
};

/** @throws DomainError not_found */
export const loadPush = async (
  { execute }: Pick<LockPushDeps, 'execute'>,
  caller: Caller,
  id: string,
): Promise<ExistingDataSource> => {
  const found = sees(caller, id) ? await execute.load(dataSource, dataSourceStream(id), caller.tenant) : null;
  const state = found?.state;
  if (state === undefined || state.status === 'none' || state.status === 'removed')
    throw new DomainError('not_found', 'there is no such source group');
  return state;
};

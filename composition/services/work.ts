import type { Nudge } from '../../adapters/system/nudge.ts';
import type { RetryingExecute } from '../../application/execute.ts';
import type { RetryingEventStore } from '../../application/ports/event-store.ts';
import type { WorkLeases } from '../../application/ports/work-leases.ts';
import type { Purge, RunJob } from '../../application/work/job.ts';
import type { Role } from '../roles.ts';

/** The parts that run beside HTTP. */
export interface WorkServices {
  /** For work that can wait until the event store is back. */
  RetryingStore: RetryingEventStore;
  RetryingExecute: RetryingExecute;
  WorkLeases: WorkLeases;
  /** Name of this process among the owners of leases. */
  Owner: string;
  RunCrawl: RunJob;
  Purge: Purge;
  /** The view of data sources has moved: a worker of this process need not wait for its next look. */
  News: Nudge;
  Worker: Role;
  Eraser: Role;
  Embedding: Role;
  Scheduler: Role;
  Projectors: Role;
  VaultSweep: Role;
}

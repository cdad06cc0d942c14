import type { WakeUp } from '../../adapters/system/wake-up.ts';
import type { RetryingExecute } from '../../application/event-sourcing/execute.ts';
import type { Purge, RunJob } from '../../application/sources/ingestion/job.ts';
import type { Deletions } from '../../application/ports/data-source-view.ts';
import type { RetryingEventStore } from '../../application/ports/event-store.ts';
import type { WorkLeases } from '../../application/ports/leases.ts';
import type { WorkHandler } from '../../application/jobs/work-handler.ts';
import type { Role } from '../roles.ts';

/** The parts that run beside HTTP. */
export interface WorkServices {
  /** For work that can wait until the event store is back. */
  RetryingStore: RetryingEventStore;
  RetryingExecute: RetryingExecute;
  /** On work at data sources. */
  WorkLeases: WorkLeases;
  /** On runs of agents. */
  RunLeases: WorkLeases;
  Deletions: Deletions;
  /** Name of this process among the owners of leases. */
  Owner: string;
  Ingest: RunJob;
  Purge: Purge;
  IngestionJobs: WorkHandler;
  IngestionPurges: WorkHandler;
  /** The view of data sources has moved: a worker of this process need not wait for its next look. */
  WorkWakeUp: WakeUp;
  /** The same of the view of runs of agents. */
  RunWakeUp: WakeUp;
  Worker: Role;
  Eraser: Role;
  Embedding: Role;
  Scheduler: Role;
  Projectors: Role;
  VaultSweep: Role;
  UploadSweep: Role;
}

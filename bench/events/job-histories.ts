import type { CommandContext } from '../../application/event-metadata.ts';
import type { IdSource } from '../../application/ports/identity.ts';
import type { DataSourceEvent, JobCounts } from '../../domain/data-source/index.ts';

export const CONTEXT: CommandContext = {
  tenant: '019a0000-0000-7000-8000-000000000001',
  actor: { kind: 'worker', id: 'host-1:4711:mi8xk2' },
  correlationId: '019a0000-0000-7000-8000-000000000002',
  causationId: '019a0000-0000-7000-8000-000000000003',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const START = 1_763_650_000_000;
/** Progress is told every two seconds: three times in a short job. */
const PROGRESS = [100, 200, 300];

/** What happens to one data source in its life: it is registered, and synchronised again and again by its schedule. */
export const jobHistory = ({
  id,
  ids,
  length,
}: {
  readonly id: string;
  readonly ids: IdSource;
  readonly length: number;
}): readonly DataSourceEvent[] => {
  const events: DataSourceEvent[] = [];
  for (let generation = 1; events.length < length; generation++) {
    const job_id = ids.newId();
    const at = START + generation * 86_400_000;
    if (generation === 1) events.push(registered(id, job_id, at, ids));
    events.push(...job(job_id, generation, at));
  }
  return events.slice(0, length);
};

const registered = (id: string, job_id: string, at: number, ids: IdSource): DataSourceEvent => ({
  type: 'DataSourceRegistered',
  subject: { kind: 'crawl', start_url: `https://docs.example.org/${id}/` },
  ingestion_setting_id: ids.newId(),
  metadata: [{ key: 'team', val: 'search' }],
  job_id,
  at,
});

const job = (job_id: string, generation: number, at: number): readonly DataSourceEvent[] => [
  {
    type: 'JobQueued',
    job_id,
    attempt: 1,
    trigger: generation === 1 ? 'create' : 'schedule',
    mode: 'incremental',
    generation,
    ...(generation > 1 && { due_at: at - 500 }),
    at,
  },
  { type: 'JobClaimed', job_id, worker_id: CONTEXT.actor.id, epoch: generation, at: at + 400 },
  { type: 'JobStarted', job_id, attempt: 1, at: at + 450 },
  ...PROGRESS.map((seen, nth): DataSourceEvent => ({
    type: 'JobProgressed',
    job_id,
    counts: counts(seen),
    at: at + 2_000 * (nth + 1),
  })),
  {
    type: 'JobSucceeded',
    job_id,
    counts: counts(350),
    generation,
    after_cancel_request: false,
    at: at + 7_000,
  },
];

const counts = (seen: number): JobCounts => ({
  seen,
  indexed: seen - 60,
  unchanged: 40,
  skipped: 15,
  failed: 5,
  bytes: seen * 13_000,
});

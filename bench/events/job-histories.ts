import type { CommandContext } from '../../application/ports/event-metadata.ts';
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
    const jobId = ids.newId();
    const at = START + generation * 86_400_000;
    if (generation === 1) events.push(registered(id, jobId, at, ids));
    events.push(...job(jobId, generation, at));
  }
  return events.slice(0, length);
};

const registered = (id: string, jobId: string, at: number, ids: IdSource): DataSourceEvent => ({
  type: 'DataSourceRegistered',
  subject: { kind: 'crawl', startUrl: `https://docs.example.org/${id}/` },
  ingestionSettingId: ids.newId(),
  metadata: [{ key: 'team', val: 'search' }],
  jobId,
  at,
});

const job = (jobId: string, generation: number, at: number): readonly DataSourceEvent[] => [
  {
    type: 'JobQueued',
    jobId,
    attempt: 1,
    trigger: generation === 1 ? 'create' : 'schedule',
    mode: 'incremental',
    generation,
    ...(generation > 1 && { dueAt: at - 500 }),
    at,
  },
  { type: 'JobClaimed', jobId, workerId: CONTEXT.actor.id, epoch: generation, at: at + 400 },
  { type: 'JobStarted', jobId, attempt: 1, at: at + 450 },
  ...PROGRESS.map((seen, nth): DataSourceEvent => ({
    type: 'JobProgressed',
    jobId,
    counts: counts(seen),
    at: at + 2_000 * (nth + 1),
  })),
  {
    type: 'JobSucceeded',
    jobId,
    counts: counts(350),
    generation,
    afterCancelRequest: false,
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

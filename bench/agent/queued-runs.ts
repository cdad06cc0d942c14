import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresDatabase, createDatabase } from '../../adapters/postgres/connection.ts';
import { started } from '../../tests/support/agents.ts';
import { urlOf } from '../../tests/support/database-url.ts';
import { eventually } from '../../tests/support/eventually.ts';
import type { ModelProvider } from '../../tests/support/model-provider.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Result, Run } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { openPostgres } from '../measuring/postgres.ts';
import { sideBySide } from '../measuring/side-by-side.ts';

const TARGET = 0.3;
const WORKERS = 2;
/** Runs at once in each: what a worker has unless it is told otherwise. */
const SLOTS = 16;

/** Runs per second of a queue that waits for two workers, beside as many processes with the loop alone. */
export const queuedRuns = async (run: Run, provider: ModelProvider): Promise<Result> => {
  const count = run.quick ? 20 : 1_000;
  const { api, workers, database } = await startRoles(run, provider);
  const ours = async (): Promise<number> => {
    for (const { child } of workers) child.kill('SIGSTOP');
    const before = await overAt(database);
    await queue(api, count);
    const begun = performance.now();
    const working = async (): Promise<void> => {
      for (const { child } of workers) child.kill('SIGCONT');
      await eventually(
        () => openAt(database),
        (open) => open === 0,
        'the queue empty',
      );
    };
    await run.profiling.profiledIn(workers[0]!, working);
    const ms = performance.now() - begun;
    const over = (await overAt(database)) - before;
    if (over !== count) throw new Error(`${over} of ${count} runs succeeded`);
    return (1_000 * count) / ms;
  };
  const bare = await startBeside(run, { baseUrl: provider.baseUrl });
  const rounds = run.quick ? 1 : 3;
  await sideBySide(1, ours, () => bare(count));
  const measured = await sideBySide(rounds, ours, () => bare(count));
  return {
    bench: 'agent queued runs',
    ...measured,
    measured: 'over HTTP',
    unit: 'runs/s',
    target: `>= ${TARGET}`,
    met: measured.ratio >= TARGET,
    queued: count,
    workers: WORKERS,
    slots: SLOTS,
    rival_is: 'as many processes with the same loop, model and tools, that keep nothing',
  };
};

const startRoles = async ({ cleanup, profiling }: Run, provider: ModelProvider) => {
  const address = await openPostgres(cleanup);
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const url = urlOf(address);
  const backing = { env: { DATABASE_URL: url }, database: url, close: async () => {} };
  const start = async (roles: string): Promise<Service> => {
    const env = {
      KNOWLEDGER_ROLES: roles,
      KNOWLEDGER_AGENT_SLOTS: String(SLOTS),
      KNOWLEDGER_LOG_LEVEL: 'warn',
      KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
      LLM_URL: provider.baseUrl,
      LLM_MODEL: 'stand-in',
      ...profiling.env,
    };
    const service = await startService(env, { dataDir, backing });
    cleanup.defer(async () => {
      service.child.kill('SIGCONT');
      await service.end('SIGKILL');
    });
    return service;
  };
  const api = await start('api,projector,scheduler');
  const workers = [];
  for (let nth = 0; nth < WORKERS; nth++) workers.push(await start('worker'));
  const database = createDatabase({ ...address, poolSize: 1 });
  cleanup.defer(database.close);
  return { api, workers, database };
};

/** Threads of one run each; all are pending, and in the view. */
const queue = async (api: Service, count: number): Promise<void> => {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await started(api, `Question ${left}?`);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  await eventually(
    () => api.api('GET', '/agent/runs?status=QUEUED&limit=1'),
    ({ body }) => body.pagination.total === count,
    'all queued',
  );
};

/** @throws when one did not succeed */
const overAt = async ({ pool }: PostgresDatabase): Promise<number> => {
  const { rows } = await pool.query<{ readonly well: number; readonly badly: number }>(`
    select count(*) filter (where status = 'SUCCEEDED') as well,
      count(*) filter (where status in ('FAILED', 'CANCELLED')) as badly from read.agent_run`);
  const { well = 0, badly = 0 } = rows[0] ?? {};
  if (badly > 0) throw new Error(`${badly} runs did not succeed`);
  return well;
};

/** How many are pending or under way, by an index: to count all that were ever over is work that no rival has. */
const openAt = async ({ pool }: PostgresDatabase): Promise<number> => {
  const { rows } = await pool.query<{ readonly n: number }>(
    `select count(*) as n from read.agent_run where status in ('QUEUED', 'RUNNING', 'CANCELLING')`,
  );
  return Number(rows[0]?.n);
};

/** As many processes as there are workers, which do runs together. */
const startBeside = async ({ cleanup }: Run, given: object) => {
  const children = Array.from({ length: WORKERS }, () => startChild('agent/bare-loop.ts'));
  for (const child of children) cleanup.defer(child.stop);
  await Promise.all(children.map((child) => child.ask(given)));
  return async (count: number): Promise<number> => {
    const begun = performance.now();
    await Promise.all(children.map((child) => child.ask({ runs: count / WORKERS, atOnce: SLOTS })));
    return (1_000 * count) / (performance.now() - begun);
  };
};

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { runThatIs, started } from '../../tests/support/agents.ts';
import { clientOf } from '../../tests/support/client.ts';
import type { ModelProvider } from '../../tests/support/model-provider.ts';
import type { Service } from '../../tests/support/service.ts';
import type { Result, Run } from '../bench.ts';
import { analyse } from '../measuring/postgres.ts';
import { startChild } from '../measuring/child.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { startAll } from './first-event.ts';

const TARGET = 2;

const TREE = `
  select id as run_id, doc->'parent_run_id' as parent_run_id, status, created_at
  from read.agent_run where thread_id = $1 and tenant = $2 order by id`;

/** A thread of 1,000 runs as its tree, beside the statement that reads the same from its view, on analysed tables. */
export const treeOfRuns = async (run: Run, provider: ModelProvider): Promise<Result> => {
  const service = await startAll(run, provider);
  const count = run.quick ? 20 : 1_000;
  const threadId = await threadOf(service, count);
  const connection = await connectEmbeddedPostgres({ dataDir: join(service.dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  await analyse(connection);
  const { pool, close } = createDatabase({ ...connection, poolSize: 1 });
  run.cleanup.defer(close);
  const { rows: tenants } = await pool.query<{ readonly tenant: string }>(
    'select tenant from read.agent_run limit 1',
  );
  const values = [threadId, tenants[0]?.tenant];
  const bare = async () => (await pool.query<Row>({ name: 'tree', text: TREE, values })).rows;
  const tree = async () => (await service.api('GET', `/agent/threads/${threadId}`)).body.runs as Row[];
  const served = await serveBare(run, { address: connection, text: TREE, values });
  mustBeTheSame(await tree(), await bare(), count);
  mustBeTheSame(await served(), await bare(), count);
  const timed = (read: () => Promise<unknown>) => async (): Promise<number> => {
    const begun = performance.now();
    for (let nth = 0; nth < 20; nth++) await read();
    return (performance.now() - begun) / 20;
  };
  const ours = () => run.profiling.profiledIn(service, timed(tree));
  await sideBySide(1, ours, timed(bare));
  const { runs: _, ...measured } = await sideBySide(run.quick ? 1 : 9, ours, timed(bare));
  const overHttp = await sideBySide(run.quick ? 1 : 9, ours, timed(served));
  return {
    bench: 'agent tree',
    ...measured,
    measured: 'over HTTP',
    unit: 'ms',
    target: `<= ${TARGET}`,
    met: measured.ratio <= TARGET,
    runs: count,
    bare_over_http_ms: Math.round(10 * overHttp.rival) / 10,
    ratio_over_http: Math.round(100 * overHttp.ratio) / 100,
    rival_is: 'the SQL alone, by pg, prepared by name: no HTTP, no JSON, no key, no principal',
  };
};

interface Row {
  readonly run_id: string;
  readonly parent_run_id: string | null;
}

/** The bare SQL behind a server of Node without anything else, asked by the client that asks the program. */
const serveBare = async ({ cleanup }: Run, given: object) => {
  const child = startChild('agent/bare-tree.ts');
  cleanup.defer(child.stop);
  const { port } = (await child.ask(given)) as { readonly port: number };
  const client = clientOf(`http://127.0.0.1:${port}`, 'none');
  return async () => (await client.api('GET', '/tree')).body.runs as Row[];
};

/** Each run hangs below an earlier one, ten deep in the end. Those that wait are waited for: a thread takes 100 of them. */
const threadOf = async (service: Service, count: number): Promise<string> => {
  const ids: string[] = [];
  let threadId: string | undefined;
  for (let nth = 0; nth < count; nth++) {
    const place = threadId !== undefined && { thread_id: threadId, parent_run_id: ids[(nth - 1) >> 1] };
    const run = await started(service, `Question ${nth}?`, { ...place, concurrency: 'enqueue' });
    threadId ??= run.thread_id;
    ids.push(run.run_id);
    if (nth % 50 === 49 || nth === count - 1) await runThatIs(service, run.run_id);
  }
  return threadId!;
};

const mustBeTheSame = (told: readonly Row[], bare: readonly Row[], count: number): void => {
  const placesOf = (rows: readonly Row[]) => rows.map(({ run_id: id, parent_run_id: above }) => [id, above]);
  if (told.length !== count || !isDeepStrictEqual(placesOf(told), placesOf(bare)))
    throw new Error(`the trees differ: ${told.length} runs and ${bare.length}`);
};

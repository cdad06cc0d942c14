import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { crawl, ended } from '../../tests/support/crawls.ts';
import type { Service } from '../../tests/support/service.ts';
import type { Bench, Run } from '../bench.ts';
import { analyse } from '../measuring/postgres.ts';
import { startChild } from '../measuring/child.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite, type Site } from '../site/site.ts';

const TARGET = 0.85;
const CONNECTIONS = 32;
const SLICE_S = 1;
/** A page of the list. */
const CRAWLS = 20;
/** As the program's pool for reads (`composition/databases.ts`). */
const POOL_SIZE = 16;
const RIVAL =
  'a handler of Express 5 and pg that reads the same rows by the same indexes, without authentication, scope, tracing, ' +
  'checks, or deletions that hide at once';
const PREPARED = `${RIVAL}; its statements prepared by name, as those of the program are`;

/** Reads of the started program beside a bare handler that reads the same rows of the same database, analysed. */
export const readsBench: Bench = {
  name: 'reads',
  needs: ['autocannon'],
  measure: async function* measure(run) {
    const { quick, profiling, cleanup } = run;
    const site = await openSite(cleanup, quick);
    const service = await startProgram(site, cleanup, profiling.env);
    await crawlSite(service, site);
    await crawlSome(service, site, CRAWLS - 1);
    const startBare = await bareHandlers(service.dataDir, cleanup);
    const reads = {
      'GET /contents/{id}': (await someContents(service)).map((id) => `/contents/${id}`),
      'GET /crawls': ['/crawls'],
    };
    const slices = startLoad(run);
    for (const rivalIs of [RIVAL, PREPARED]) {
      const { base: bare, stop } = await startBare(rivalIs === PREPARED);
      for (const [read, paths] of Object.entries(reads)) {
        await mustAnswerTheSame(service, bare, paths.slice(0, 10));
        const unwatched = slices(`${service.base}/api/v1`, paths, { 'x-api-key': service.key });
        const ours = (): Promise<number> => profiling.profiledIn(service, unwatched);
        yield { bench: read, ...(await measured(quick, ours, slices(bare, paths, {}))), rival_is: rivalIs };
      }
      // The server has connections for one of them at a time.
      await stop();
    }
  },
};

const measured = async (quick: boolean, ours: () => Promise<number>, rival: () => Promise<number>) => {
  // Code is compiled and connections are opened before anything counts.
  await sideBySide(quick ? 1 : 3, ours, rival);
  const told = await sideBySide(quick ? 2 : 16, ours, rival);
  return {
    ...told,
    measured: 'over HTTP' as const,
    unit: 'requests/s',
    target: `>= ${TARGET}`,
    met: told.ratio >= TARGET,
    connections: CONNECTIONS,
    pool: POOL_SIZE,
    slice_s: SLICE_S,
  };
};

/** Requests per second of a while, from a process beside this one. */
const startLoad = ({ quick, cleanup }: Run) => {
  const load = startChild('reads/load.mjs');
  cleanup.defer(load.stop);
  return (base: string, paths: readonly string[], headers: object) => async (): Promise<number> => {
    const seconds = quick ? 0.2 : SLICE_S;
    const asked = await load.ask({ base, paths, headers, connections: CONNECTIONS, seconds });
    const { perSecond, failed } = asked as { readonly perSecond: number; readonly failed: number };
    if (failed > 0) throw new Error(`${failed} requests to ${base} failed`);
    return perSecond;
  };
};

/** Small crawls, to fill a page of the list. */
const crawlSome = async (service: Service, { startUrl }: Site, count: number): Promise<void> => {
  const begun = Array.from({ length: count }, () => crawl(service, startUrl, { max_num_files: 1 }));
  for (const { id } of await Promise.all(begun)) await ended(service, id);
};

/** On the program's own database, analysed now. */
const bareHandlers = async (dataDir: string, cleanup: AsyncDisposableStack) => {
  const connection = await connectEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  await analyse(connection);
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ readonly tenant: string }>('SELECT tenant FROM read.content LIMIT 1');
  await client.end();
  return async (prepared: boolean) => {
    const handler = startChild('reads/bare-handler.ts');
    cleanup.defer(handler.stop);
    const config = { ...connection, max: POOL_SIZE, tenant: rows[0]?.tenant, prepared };
    const { base } = (await handler.ask(config)) as { readonly base: string };
    return { base, stop: handler.stop };
  };
};

const someContents = async (service: Service): Promise<readonly string[]> => {
  const { status, body } = await service.api('POST', '/query', { limit: 100 });
  if (status !== 200) throw new Error(`POST /query answered ${status}: ${JSON.stringify(body)}`);
  return body.contents.map(({ id }: { readonly id: string }) => id);
};

const mustAnswerTheSame = async (service: Service, bare: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const { body } = await service.api('GET', path);
    const beside: unknown = await (await fetch(bare + path)).json();
    if (!isDeepStrictEqual(body, beside)) {
      throw new Error(`the answers differ: ${JSON.stringify(body)} and ${JSON.stringify(beside)}`);
    }
  }
};

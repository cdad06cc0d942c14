import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { connectEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import type { Service } from '../../support/service.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite } from '../site/site.ts';

const TARGET = 0.6;
const CONNECTIONS = 32;
const SLICE_S = 1;
/** As the program's pool for reads (`composition/startup.ts`). */
const POOL_SIZE = 16;

interface Loaded {
  readonly perSecond: number;
  readonly failed: number;
}

/** GET /contents/{id} of the started program beside a bare handler that reads the same row of the same database. */
export const contentBench: Bench = {
  name: 'content',
  needs: ['autocannon'],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const site = await openSite(cleanup, quick);
    const service = await startProgram(site, cleanup, profiling.env);
    await crawlSite(service, site);
    const bare = await startBareHandler(service.dataDir, cleanup);
    const ids = await someContents(service);
    await mustAnswerTheSame(service, bare, ids);
    const load = startChild('content/load.mjs');
    cleanup.defer(load.stop);
    const slice = (base: string, headers: object) => async (): Promise<number> => {
      const paths = ids.map((id) => `/contents/${id}`);
      const seconds = quick ? 0.2 : SLICE_S;
      const asked = await load.ask({ base, paths, headers, connections: CONNECTIONS, seconds });
      const { perSecond, failed } = asked as Loaded;
      if (failed > 0) throw new Error(`${failed} requests to ${base} failed`);
      return perSecond;
    };
    const unwatched = slice(`${service.base}/api/v1`, { 'x-api-key': service.key });
    const ours = (): Promise<number> => profiling.profiledIn(service, unwatched);
    const rival = slice(bare, {});
    // Code is compiled and connections are opened before anything counts.
    await sideBySide(quick ? 1 : 3, ours, rival);
    const measured = await sideBySide(quick ? 2 : 16, ours, rival);
    yield {
      bench: 'content',
      ...measured,
      unit: 'requests/s',
      target: `>= ${TARGET}`,
      met: measured.ratio >= TARGET,
      connections: CONNECTIONS,
      pool: POOL_SIZE,
      contents: ids.length,
      slice_s: SLICE_S,
      rival_is: 'a handler of Express 5 and pg without authentication, scope, tracing or checks',
    };
  },
};

const startBareHandler = async (dataDir: string, cleanup: AsyncDisposableStack): Promise<string> => {
  const connection = await connectEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  const handler = startChild('content/bare-handler.ts');
  cleanup.defer(handler.stop);
  return ((await handler.ask({ ...connection, max: POOL_SIZE })) as { readonly base: string }).base;
};

const someContents = async (service: Service): Promise<readonly string[]> => {
  const { status, body } = await service.api('POST', '/query', { limit: 100 });
  if (status !== 200) throw new Error(`POST /query answered ${status}: ${JSON.stringify(body)}`);
  return body.contents.map(({ id }: { readonly id: string }) => id);
};

const mustAnswerTheSame = async (service: Service, bare: string, ids: readonly string[]): Promise<void> => {
  for (const id of ids.slice(0, 10)) {
    const { body } = await service.api('GET', `/contents/${id}`);
    const beside: unknown = await (await fetch(`${bare}/contents/${id}`)).json();
    if (!isDeepStrictEqual(body, beside)) {
      throw new Error(`the answers differ: ${JSON.stringify(body)} and ${JSON.stringify(beside)}`);
    }
  }
};

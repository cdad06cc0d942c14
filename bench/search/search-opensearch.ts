import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { join } from 'node:path';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import { openPush } from '../../tests/support/pushes.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Bench, Result, Run } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { median, percentile } from '../measuring/side-by-side.ts';
import { realQuestions, sizesOf } from './engine.ts';
import { bytesOf, fillOpenSearch, openNode, openSearchRequest, type Passage, usageOf } from './opensearch.ts';
import { documentsOf, passagesFile } from './passages.ts';

const [QUESTIONS, WRITERS] = [24, 8];
/** Shares of the contents that the groups have. */
const SHARES = [0.01, 0.5, 0.49];
const FILTERS = { all: undefined, '1 %': 0, '50 %': 1 } as const;

interface Side {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: (query: string, group?: number) => { readonly path: string; readonly body: string };
  readonly usage: ReturnType<typeof usageOf>;
}
type Sides = Readonly<Record<'embedded' | 'on_opensearch' | 'opensearch', Side>>;

/**
 * The program with its own index, the program on OpenSearch, and OpenSearch itself, all over HTTP with the same passages.
 * The program's are pushed as documents; OpenSearch is given the passages that came of them. BENCH_PASSAGES says how many.
 */
export const searchOpenSearchBench: Bench = {
  name: 'search-opensearch',
  needs: ['autocannon'],
  measure: async function* measure(run) {
    const { quick, cleanup } = run;
    const [node, rival] = [await openNode(cleanup), await openNode(cleanup)];
    const documents = await documentsFor(quick ? 2_000 : Number(process.env['BENCH_PASSAGES'] ?? 20_000));
    const embedded = await openProgram(run, documents, {}, []);
    const env = { OPENSEARCH_URL: node.url, OPENSEARCH_REPLICAS: '0' };
    const outside = await openProgram(run, documents, env, [node.pid]);
    const passages = await passagesOf(embedded.service, embedded.groups);
    const usage = usageOf([rival.pid]);
    const before = usage.seconds();
    const { ms } = await fillOpenSearch(rival.url, passages.all);
    const seconds = usage.seconds() - before;
    const contents = passages.all.length;
    const headers = { 'content-type': 'application/json' };
    const opensearch: Side = { base: rival.url, headers, request: openSearchRequest, usage };
    const sides: Sides = { embedded: embedded.side, on_opensearch: outside.side, opensearch };
    const built = { embedded: embedded.built, on_opensearch: outside.built, opensearch: { ms, seconds } };
    yield line(
      'building the index',
      'contents/s',
      mapped(built, (of) => (1_000 * contents) / of.ms),
      1,
      {
        contents,
        processor_ms_each: mapped(built, (of) => (1_000 * of.seconds) / contents),
      },
    );
    yield line(
      'size of the index',
      'MB',
      {
        embedded: passages.sizes.bytes / 1e6,
        on_opensearch: (await bytesOf(node.url)) / 1e6,
        opensearch: (await bytesOf(rival.url)) / 1e6,
      },
      -1,
      { text: passages.sizes.textBytes / 1e6 },
    );
    const questions = (await realQuestions()).slice(0, quick ? 8 : QUESTIONS);
    for (const [name, group] of Object.entries(FILTERS))
      yield timeLine(name, await times(sides, questions, group, quick));
    const clients = startChild('search/clients.mjs');
    cleanup.defer(clients.stop);
    for (const count of [8, 32])
      yield await rateLine(sides, questions, count, quick ? 500 : 4_000, clients.ask);
    yield line(
      'memory',
      'MB',
      mapped(sides, (of) => of.usage.megabytes()),
      -1,
      {},
    );
  },
};

/** Documents of so many passages, with the texts of their passages one after the other. */
const documentsFor = async (passages: number): Promise<readonly { title: string; text: string }[]> => {
  const all = await documentsOf(await passagesFile());
  const documents: { title: string; text: string }[] = [];
  for (let count = 0; count < passages;) {
    const { source, chunks } = all.next().value as ChunkSet;
    count += chunks.length;
    if (chunks.length > 0)
      documents.push({ title: source.title, text: chunks.map(({ text }) => text).join('\n\n') });
  }
  return documents;
};

/** The started program, when it finds all documents. */
const openProgram = async (
  { cleanup }: Run,
  documents: readonly { title: string; text: string }[],
  env: Readonly<Record<string, string>>,
  pids: readonly number[],
) => {
  const service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn', ...env });
  console.error(`pushing ${documents.length} documents`);
  cleanup.defer(() => service.dispose());
  const usage = usageOf([service.child.pid!, ...pids]);
  const pushes = await Promise.all(SHARES.map((_, i) => openPush(service, `Group ${i}`)));
  const [begun, before] = [performance.now(), usage.seconds()];
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < documents.length) {
      const n = next++;
      const { title, text } = documents[n]!;
      const push = pushes[n % 100 === 0 ? 0 : 2 - (n % 2)]!;
      const put = async () => (await push.put(`${n}`, { text, type: 'text/plain', query: { title } })).status;
      let status = await put();
      // Its turn did not come in time.
      while (status === 503) status = await put();
      if (status !== 200) throw new Error(`PUT answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const { headers: written } = await pushes[0]!.put('last', 'The last one.');
  const least = { 'x-min-position': written.get('x-position')! };
  while ((await service.api('POST', '/search', { query: 'last' }, least)).status !== 200);
  const built = { ms: performance.now() - begun, seconds: usage.seconds() - before };
  const groups = pushes.map(({ id }) => id);
  const side: Side = {
    base: service.base,
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    request: (query, group) => {
      const filter = group === undefined ? {} : { source_group_ids: [groups[group]!] };
      return { path: '/api/v1/search', body: JSON.stringify({ query, ...filter }) };
    },
    usage,
  };
  return { service, groups, side, built };
};

const passagesOf = async ({ dataDir }: Service, groups: readonly string[]) => {
  const connection = await connectEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  const { pool, close } = createDatabase({ ...connection, poolSize: 1, statementTimeoutMs: 0 });
  const { rows: all } = await pool.query<Passage>(
    `select s.title, s.url, x.text, array_position($1::uuid[], c.data_source_id) - 1 as group
    from read.content c join read.source s on s.no = c.source_no join read.content_text x on x.content_no = c.no`,
    [groups],
  );
  await pool.query('vacuum analyze');
  const { rows } = await pool.query<{ schema: string }>(
    `select relnamespace::regnamespace::text as schema from pg_class where relname = 'lexical_block' and relkind = 'r'`,
  );
  const sizes = await sizesOf(pool, rows[0]!.schema);
  await close();
  return { all, sizes };
};

/** Milliseconds of each question on each side, all in turn, and processor milliseconds; the first round does not count. */
const times = async (
  sides: Sides,
  questions: readonly string[],
  group: number | undefined,
  quick: boolean,
) => {
  const all = mapped(sides, () => ({ ms: [] as number[], seconds: 0 }));
  for (let round = 0; round <= (quick ? 1 : 2); round += 1)
    for (const [name, side] of Object.entries(sides).toSorted(() => Math.random() - 0.5)) {
      const before = side.usage.seconds();
      for (const question of questions) {
        const { path, body } = side.request(question, group);
        const begun = performance.now();
        const response = await fetch(`${side.base}${path}`, { method: 'POST', headers: side.headers, body });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${name} answered ${response.status}`);
        if (round > 0) all[name as keyof Sides].ms.push(performance.now() - begun);
      }
      if (round > 0) all[name as keyof Sides].seconds += side.usage.seconds() - before;
    }
  return all;
};

const timeLine = (filter: string, all: Awaited<ReturnType<typeof times>>): Result =>
  line(
    `a search of ${filter}`,
    'ms, p50',
    mapped(all, ({ ms }) => median(ms)),
    -1,
    {
      p95: mapped(all, ({ ms }) => percentile(ms, 0.95)),
      processor_ms: mapped(all, ({ ms, seconds }) => (1_000 * seconds) / ms.length),
    },
  );

const rateLine = async (
  sides: Sides,
  questions: readonly string[],
  clients: number,
  ms: number,
  ask: (message: object) => Promise<unknown>,
): Promise<Result> => {
  const rates = mapped(sides, () => [] as number[]);
  const seconds = mapped(sides, () => [] as number[]);
  for (let round = 0; round <= 2; round += 1)
    for (const [name, { base, headers, request, usage }] of Object.entries(sides).toSorted(
      () => Math.random() - 0.5,
    )) {
      const before = usage.seconds();
      const requests = questions.map((question) => ({ method: 'POST', headers, ...request(question) }));
      const { perSecond, failed } = (await ask({ base, requests, clients, ms })) as Record<string, number>;
      if (failed! > 0) throw new Error(`${failed} searches of ${name} failed`);
      if (round === 0) continue;
      rates[name as keyof Sides].push(perSecond!);
      seconds[name as keyof Sides].push((usage.seconds() - before) / (perSecond! * (ms / 1_000)));
    }
  return line(`searches of ${clients} clients`, 'searches/s', mapped(rates, median), 1, {
    processor_ms: mapped(seconds, (of) => 1_000 * median(of)),
  });
};

const mapped = <Of, To>(of: Readonly<Record<keyof Sides, Of>>, to: (one: Of) => To) =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, to(one)])) as Record<keyof Sides, To>;

/** @param more 1 where more is better, -1 where less is */
const line = (
  bench: string,
  unit: string,
  of: Readonly<Record<keyof Sides, number>>,
  more: 1 | -1,
  details: object,
): Result => ({
  bench,
  ratio: of.embedded / of.opensearch,
  ours: of.embedded,
  rival: of.opensearch,
  unit,
  measured: 'over HTTP',
  target: more > 0 ? '>= 1' : '<= 1',
  met: more > 0 ? of.embedded >= of.opensearch : of.embedded <= of.opensearch,
  on_opensearch: of.on_opensearch,
  ...details,
  rival_is: 'OpenSearch: two fields, analyser english, one shard',
});

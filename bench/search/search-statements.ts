import { Kysely, PostgresDialect } from 'kysely';
import { CamelRows } from '../../adapters/postgres/camel-rows.ts';
import { createDatabase } from '../../adapters/postgres/database.ts';
import { migrate } from '../../adapters/postgres/migrations/runner.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/migration.ts';
import type { ProjectionTables } from '../../adapters/postgres/projections/versions.ts';
import { vectorMigrations } from '../../adapters/postgres/vectors/migration.ts';
import { workMigrations } from '../../adapters/postgres/work/migration.ts';
import type { Bench } from '../bench.ts';
import { percentile } from '../measuring/percentile.ts';
import { openPostgres } from '../measuring/postgres.ts';
import { openCollection, questions, TENANT } from './collection.ts';
import { searchIn } from './in-process.ts';
import { recording, replay } from './statements.ts';

const TARGET = 1.3;
const GROWTH_TARGET = 4;

/**
 * What POST /search does behind HTTP, beside the same statements from a bare client: what remains is what our code costs.
 * And how the slowest searches grow with the collection.
 */
export const searchStatementsBench: Bench = {
  name: 'search-statements',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const searching = await openSearch(cleanup);
    const asked = questions(quick ? 10 : 200);
    const p95s: number[] = [];
    for (const contents of quick ? [200, 2_000] : [10_000, 100_000]) {
      await searching.growTo(contents);
      // Pages are read and code is compiled before anything counts.
      await compare(searching, asked.slice(0, 50));
      const times = { ours: [] as number[], rival: [] as number[] };
      for (let round = 0; round < (quick ? 1 : 5); round++) {
        const { ours, rival } = await profiling.profiled(() => compare(searching, asked));
        times.ours.push(...ours);
        times.rival.push(...rival);
      }
      const [ours, rival] = [percentile(times.ours, 0.95), percentile(times.rival, 0.95)];
      p95s.push(ours);
      yield {
        bench: 'search beside its statements',
        ratio: ours / rival,
        ours,
        rival,
        measured: 'in process',
        unit: 'ms, p95',
        target: `<= ${TARGET}`,
        met: ours / rival <= TARGET,
        contents,
        p50: [times.ours, times.rival].map((all) => Math.round(percentile(all, 0.5) * 100) / 100),
        searches: times.ours.length,
        rival_is: 'the same statements, sent by a bare client of pg',
      };
    }
    const [small = Number.NaN, large = Number.NaN] = p95s;
    yield {
      bench: 'search growth, made-up texts',
      ratio: large / small,
      ours: large,
      rival: small,
      measured: 'in process',
      unit: 'ms, p95',
      target: `<= ${GROWTH_TARGET}`,
      met: large / small <= GROWTH_TARGET,
      rival_is: 'the same searches in a tenth of the contents',
    };
  },
};

type Searching = Awaited<ReturnType<typeof openSearch>>;

const openSearch = async (cleanup: AsyncDisposableStack) => {
  const address = await openPostgres(cleanup);
  const database = createDatabase<ProjectionTables>({ ...address, poolSize: 2, statementTimeoutMs: 0 });
  cleanup.defer(database.close);
  await migrate(database.pool, [...projectionMigrations, ...workMigrations, ...vectorMigrations]);
  const { growTo } = await openCollection(database);
  const record = recording(database.pool);
  const bare = database.newClient();
  await bare.connect();
  cleanup.defer(() => bare.end());
  const recorded = searchIn(
    TENANT,
    new Kysely({ dialect: new PostgresDialect({ pool: record.pool }), plugins: [new CamelRows()] }),
  );
  return {
    growTo,
    bare,
    search: searchIn(TENANT, database.db),
    statementsOf: (query: string) => record.sentBy(() => recorded(query)),
  };
};

/** Milliseconds of each search, ours and the bare one in random order. @throws when they do not find the same */
const compare = async ({ search, statementsOf, bare }: Searching, asked: readonly string[]) => {
  const times = { ours: [] as number[], rival: [] as number[] };
  for (const query of asked) {
    const statements = await statementsOf(query);
    const found: (readonly string[])[] = [];
    const measure = async (into: number[], act: () => Promise<readonly string[]>): Promise<void> => {
      const begun = performance.now();
      const ids = await act();
      into.push(performance.now() - begun);
      found.push(ids.toSorted());
    };
    const ours = () => measure(times.ours, () => search(query));
    const rival = () =>
      measure(times.rival, async () => (await replay(bare, statements)).map(({ id }) => id));
    for (const one of Math.random() < 0.5 ? [ours, rival] : [rival, ours]) await one();
    if (found.length !== 2 || String(found[0]) !== String(found[1]) || found[0]?.length === 0) {
      throw new Error(
        `a search for "${query}" found ${found[0]?.length} contents, the other ${found[1]?.length}`,
      );
    }
  }
  return times;
};

import type { Sql } from '../adapters/postgres/database-schema.ts';
import { sql } from 'kysely';
import { CATALOG_TABLES } from '../adapters/postgres/projections/catalog/catalog-projection.ts';
import { contradictions, dumpCatalog } from '../tests/adapters/postgres/catalog/catalog-dump.ts';
import type { Service } from '../tests/support/service.ts';
import type { Found } from './faults.ts';

/** What was read, by a name: rows in an order of their own. */
type Dump = ReadonlyMap<string, readonly string[]>;

/** Every view, and what searches answer, is the same after all views were built afresh from the log. */
export const checkViews = async (db: Sql, service: Service, found: Found): Promise<void> => {
  const before = await dump(db, service);
  for (const name of await contradictions(db, 'read')) found.views_differ.push(`as projected: ${name}`);
  const { code, output } = await service.command('rebuild');
  if (code !== 0) found.unexpected.push(`the rebuild ended with ${code}: ${output}`);
  const after = await dump(db, service);
  for (const name of await contradictions(db, 'read')) found.views_differ.push(`built afresh: ${name}`);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const fault = difference(before.get(name) ?? [], after.get(name) ?? []);
    if (fault !== null) found.views_differ.push(`${name}: ${fault}`);
  }
};

const difference = (before: readonly string[], after: readonly string[]): string | null => {
  const [gone, come] = [
    new Set(before).difference(new Set(after)),
    new Set(after).difference(new Set(before)),
  ];
  if (gone.size + come.size === 0 && before.length === after.length) return null;
  const some = (rows: ReadonlySet<string>): string => [...rows].slice(0, 2).join(' ').slice(0, 2_000);
  return `${gone.size} rows only before (${some(gone)}), ${come.size} only after (${some(come)})`;
};

const dump = async (db: Sql, service: Service): Promise<Dump> => {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.views where table_schema = 'read' order by 1`.execute(
    db,
  );
  const dumped = new Map<string, readonly string[]>();
  // Left out of the catalog: the numbers of rows, and how the lexical index is cut into segments and what of them is
  // dead, which depend on batches and merges. Postings, statistics and frequencies are compared by content.
  for (const [part, rows] of Object.entries(await dumpCatalog(db, 'read'))) dumped.set(part, told(rows));
  // How leaves are put into rows depends on batches too.
  const { rows: leaves } = await sql`
    select tenant, start + i as index, encode(substring(hashes from 32 * i + 1 for 32), 'hex') as hash, places::jsonb -> i as place
    from read.log_leaf, generate_series(0, length(hashes) / 32 - 1) i`.execute(db);
  dumped.set('log_leaf', told(leaves));
  const compared = new Set([...CATALOG_TABLES, 'content_text', 'log_leaf']);
  const others = tables.rows.filter(({ name }) => !compared.has(name));
  for (const { name } of others) {
    // A total that came back to nothing keeps its row; in a fresh view there is none.
    const counts = name.endsWith('_count') ? sql`where n <> 0` : sql``;
    const { rows } = await sql`select * from ${sql.id('read', name)} ${counts}`.execute(db);
    dumped.set(name, told(rows));
  }
  for (const query of QUERIES) dumped.set(`search "${query}"`, await search(service, query));
  dumped.set('query', (await contents(service)).map(String));
  return dumped;
};

const told = (rows: readonly unknown[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

const QUERIES = ['number7', 'page number13 of the site', 'falcons', 'number1 number2 number3'];
const MOST = 100;

/** Results of the same score are in no order; where the list is cut, it holds any of those with the last score. */
const search = async (service: Service, query: string): Promise<readonly string[]> => {
  const body = await service.post('/search', { body: { query, limit: MOST } });
  const { results } = body;
  const cut = results.length === MOST ? results.at(-1)?.score.toFixed(6) : undefined;
  const kept = results.map(({ content, score }) =>
    score.toFixed(6) === cut ? `${cut} any` : `${score.toFixed(6)} ${content.id}`,
  );
  return [`${body.total_candidates} candidates`, ...kept.toSorted()];
};

/** Ids of all contents whose source has metadata of the run, by the exact query. */
const contents = async (service: Service): Promise<readonly string[]> => {
  const body = { limit: MOST, source_metadata: { filters: [{ key: 'stress', operator: 'exists' }] } };
  const post = (after: object) => service.api('POST', '/query', { ...body, ...after });
  const ids: string[] = [];
  for (let answer = await post({}); ;) {
    ids.push(...answer.body.contents.map(({ id }: { id: string }) => id));
    if (!answer.body.pagination.has_more) return ids;
    answer = await post({ after: answer.body.pagination.next_id });
  }
};

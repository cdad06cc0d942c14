import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../adapters/postgres/catalog/catalog.ts';
import { createTombstones } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import type { Catalog, CatalogScope, ContentQuery } from '../../../../application/ports/catalog.ts';
import { EVERYTHING } from '../../../../domain/filter/filter.ts';
import { parseFilter } from '../../../../domain/filter/parse-filter.ts';
import { pagesOf, recording } from '../explained.ts';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
let sales: ReturnType<ReturnType<typeof createHistory>['of']>;

const SOURCES = { little: 20, much: 1_600 } as const;
const SALES = parseFilter({ filters: [{ key: 'department', operator: 'eq', val: 'sales' }] }, new Map());
const BEFORE_PAGE_9 = parseFilter(
  { filters: [{ key: 'page_number', operator: 'lt', val: '9' }] },
  new Map([['page_number', 'integer']]),
);

/** Two groups of the same size for each tenant, five contents for each source, and one deletion of each kind. */
beforeAll(async () => {
  fixture = await openCatalog();
  const tombstones = createTombstones(fixture.db);
  for (const [tenant, sources] of Object.entries(SOURCES)) {
    const history = createHistory(fixture.files);
    const groups = [history.of(tenant, `${tenant} sales`), history.of(tenant, `${tenant} law`)] as const;
    if (tenant === 'much') sales = groups[0];
    const events = Array.from({ length: sources }, (_, i) => {
      const [name, of] = [`${tenant} ${i}`, groups[i % 4 < 2 ? 0 : 1]];
      const chunks = [1, 2, 3, 4, 5].map((nth) => `text ${nth} of ${name}`);
      return [
        of.indexed(name, { chunks, pages: true, at: 1000 + i }),
        of.metadata(name, [['department', i % 2 === 0 ? 'sales' : 'law']]),
      ];
    });
    const deleted = history.of(tenant, `${tenant} deleted`);
    events.push([deleted.indexed(`${tenant} old`, { chunks: ['old'] }), deleted.deletionRequested()]);
    await fixture.apply(...events.flat());
    await tombstones.putDataSource(tenant, idOf(`${tenant} deleted since`));
    const erased = { sourceId: idOf(`${tenant} 1`), dataSourceId: idOf(`${tenant} sales`), tenant };
    await tombstones.putSource({ ...erased, revision: 2n, generation: 2, position: '', files: [] });
  }
  await sql`vacuum analyze`.execute(fixture.db);
});
afterAll(() => fixture.close());

const ALL: ContentQuery = { filter: {}, sort: 'timestamp', page: { limit: 10 } };
const group = (tenant: string) => idOf(`${tenant} sales`);

const LISTS: Readonly<Record<string, (catalog: Catalog, of: CatalogScope) => Promise<unknown>>> = {
  contents: ({ query }, of) => query(of, ALL),
  'contents of a group': ({ query }, of) =>
    query(of, { ...ALL, filter: { sourceGroupIds: [group(of.tenant)] } }),
  'contents by title': ({ query }, of) => query(of, { ...ALL, sort: 'title' }),
  'contents with metadata': ({ query }, of) => query(of, { ...ALL, filter: { sourceMetadata: [SALES] } }),
  sources: ({ listSources }, of) => listSources(of, {}, { limit: 4 }),
  'sources of a group': ({ listSources }, of) =>
    listSources(of, { sourceGroupId: group(of.tenant) }, { limit: 4 }),
};
const READERS: Readonly<Record<string, (tenant: string) => CatalogScope>> = {
  'a key': scope,
  'a restricted key': (tenant) => scope(tenant, [`${tenant} sales`, `${tenant} law`, 'another']),
  'a principal who may read sources': (tenant) => ({
    ...scope(tenant),
    access: { sources: SALES, chunks: EVERYTHING },
  }),
  'a principal who may read contents': (tenant) => ({
    ...scope(tenant),
    access: { sources: SALES, chunks: BEFORE_PAGE_9 },
  }),
};

describe.each(Object.entries(READERS))('for %s', (_, as) => {
  it.each(Object.entries(LISTS))('a page of %s reads as much among many as among few', async (_of, read) => {
    const [few, many] = [await readTwice('little', as, read), await readTwice('much', as, read)];
    // Twice, of 80 times as many: sorting by a prefix of an index begins with 32 rows.
    expect(many).toBeLessThan(2 * few);
  });
});

/** Pages of the database that the second reading looks at: the first may have counted. */
const readTwice = async (
  tenant: keyof typeof SOURCES,
  as: (tenant: string) => CatalogScope,
  read: (catalog: Catalog, of: CatalogScope) => Promise<unknown>,
): Promise<number> => {
  const { db, sent } = recording(fixture.db);
  const catalog = createCatalog(db);
  const first = await read(catalog, as(tenant));
  sent.length = 0;
  expect(await read(catalog, as(tenant))).toEqual(first);
  const pages = await Promise.all(sent.map((statement) => pagesOf(fixture.db, statement)));
  return pages.reduce((sum, n) => sum + n);
};

it('a total that was counted before is of the catalog of now', async () => {
  const tombstones = createTombstones(fixture.db);
  const of = READERS['a principal who may read sources']!('much');
  const totals = async () => [
    (await fixture.catalog.query(of, ALL)).total,
    (await fixture.catalog.listSources(of, {}, { limit: 1 })).total,
  ];
  expect(await totals()).toEqual([4000, 800]);
  await fixture.apply(sales.removed('much 0'));
  expect(await totals()).toEqual([3995, 799]);
  await fixture.apply(sales.metadata('much 4', [['department', 'law']]));
  expect(await totals()).toEqual([3990, 798]);
  await tombstones.putDataSource('much', idOf('much law'));
  expect(await totals()).toEqual([1990, 398]);
});

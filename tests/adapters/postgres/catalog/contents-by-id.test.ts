import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../adapters/postgres/catalog/catalog.ts';
import { recording, rowsOf } from '../explained.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

/** Ids of all contents of the tenant. */
const idsOf = async (tenant: string): Promise<readonly string[]> => {
  const page = { limit: 100 };
  const { rows } = await fixture.catalog.query(scope(tenant), { filter: {}, sort: 'timestamp', page });
  return rows.map(({ id }) => id);
};

describe('contents whose texts are in memory', () => {
  it('say what has changed beside their texts', async () => {
    const of = createHistory(fixture.files).of('plants', 'ds plants');
    await fixture.apply(of.indexed('plants', { title: 'Herbs', chunks: ['sage', 'thyme'] }));
    const { contentsById } = fixture.catalog;
    const ids = await idsOf('plants');
    const titled = (title: string) => ids.map(() => title);
    const titles = async () => (await contentsById(scope('plants'), ids)).map(({ title }) => title);
    expect(await titles()).toEqual(titled('Herbs'));
    // Under the same ids, and other numbers.
    await fixture.apply(of.indexed('plants', { title: 'Spices', chunks: ['sage', 'thyme'] }));
    expect(await titles()).toEqual(titled('Spices'));
  });

  it('are not found by who may not see them, nor once they are gone', async () => {
    const of = createHistory(fixture.files).of('stones', 'ds stones');
    await fixture.apply(
      of.indexed('basalt', { chunks: ['basalt'] }),
      of.indexed('slate', { chunks: ['slate'] }),
    );
    const { contentsById } = fixture.catalog;
    const ids = await idsOf('stones');
    const texts = async (as = scope('stones')) =>
      (await contentsById(as, ids)).map(({ text }) => text).toSorted();
    expect(await texts()).toEqual(['basalt', 'slate']);
    expect(await texts(scope('others'))).toEqual([]);
    expect(await texts(scope('stones', ['another data source']))).toEqual([]);
    await fixture.apply(of.removed('slate'));
    expect(await texts()).toEqual(['basalt']);
    await fixture.apply(of.deletionRequested());
    expect(await texts()).toEqual([]);
  });
});

describe('contents that many ask for at once', () => {
  it('are those that each has asked for and may see', async () => {
    const history = createHistory(fixture.files);
    const tenants = ['fish', 'fungi'];
    for (const tenant of tenants)
      await fixture.apply(
        history.of(tenant, `ds ${tenant}`).indexed(tenant, { chunks: [`${tenant} 1`, `${tenant} 2`] }),
      );
    const [fish = [], fungi = []] = await Promise.all(tenants.map(idsOf));
    const { contentsById } = fixture.catalog;
    const all = [...fish, ...fungi];
    const ask = async (as: ReturnType<typeof scope>, ids: readonly string[]) =>
      (await contentsById(as, ids)).map(({ id }) => id);
    const [first = '', second = ''] = fish;
    expect(
      await Promise.all([
        ask(scope('fish'), all),
        ask(scope('fungi'), all),
        ask(scope('fish'), [second]),
        ask(scope('fish'), [second, first, second]),
        ask(scope('fish'), []),
        ask(scope('other'), all),
      ]),
    ).toEqual([fish, fungi, [second], [second, first, second], [], []]);
    expect(await ask(scope('fish', ['another data source']), all)).toEqual([]);
  });
});

it('many contents of one large data source cost as much each as few', async () => {
  const of = createHistory(fixture.files).of('stars', 'ds stars');
  const chunks = (page: number) => Array.from({ length: 10 }, (_, i) => `star ${page} ${i}`);
  await fixture.apply(
    ...Array.from({ length: 500 }, (_, i) => of.indexed(`stars ${i}`, { chunks: chunks(i) })),
  );
  await sql`analyze`.execute(fixture.db);
  const rows = sql<{ id: string }>`select id from read.content where tenant = 'stars' limit 400`;
  const ids = (await rows.execute(fixture.db)).rows.map(({ id }) => id);
  const { db, sent } = recording(fixture.db);
  expect(await createCatalog(db).contentsById(scope('stars'), ids)).toHaveLength(400);
  expect(await rowsOf(fixture.db, sent[0]!)).toBeLessThan(10 * ids.length);
});

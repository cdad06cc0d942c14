import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogFixture, createHistory, idOf, openCatalog, scope } from './catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const texts = async (name: string, tenant: string) => {
  const page = await fixture.catalog.contentsOfSource(scope(tenant), idOf(name), { limit: 100 });
  return page?.rows.map(({ text }) => text) ?? null;
};

describe('the catalog projection', () => {
  it('smoke', async () => {
    const of = createHistory(fixture.files).of('smoke', 'ds');
    await fixture.apply(of.indexed('a', { chunks: ['Red apples grow on trees', 'Bananas are yellow'] }));
    expect(await texts('a', 'smoke')).toEqual(['Red apples grow on trees', 'Bananas are yellow']);
    const found = await fixture.catalog.search(scope('smoke'), {
      query: 'apple tree',
      filter: {},
      limit: 10,
    });
    expect(found).toMatchObject({ total_candidates: 2 });
    console.log(JSON.stringify(found, null, 1));
  });
});

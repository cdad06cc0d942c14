import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

describe('a state of the index', () => {
  it('is found by a search of which a merge takes away the segments while it reads', async () => {
    const of = createHistory(fixture.files).of('gone', 'ds gone');
    for (let i = 0; i < 8; i++) await fixture.apply(of.indexed(`gone ${i}`, { chunks: [`steady text${i}`] }));
    const search = () => fixture.searchIndex.rank(scope('gone'), { query: 'steady', filter: {}, limit: 100 });
    // Merges before the second statement of the search, which reads the heads of segments.
    const searching = search();
    const merged = fixture.merge(fixture.schema);
    const { ranked } = await searching;
    expect(await merged).toBe(8);
    expect(ranked).toHaveLength(8);
    expect(await search()).toMatchObject({ ranked, totalCandidates: 8 });
  });
});

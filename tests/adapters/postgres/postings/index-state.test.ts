import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retainState } from '../../../../adapters/postgres/postings/index-state.ts';
import { createCacheBudget, createSegmentCache } from '../../../../domain/ranking/segment-cache.ts';
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

describe('what is kept of an index', () => {
  const state = (version: number, tenantNo: number, ...segments: readonly number[]) => ({
    version,
    tenantNo,
    segments: segments.map((segment) => ({ segment, firstNo: segment, lastNo: segment })),
    deadBatches: [],
  });
  const keysLeft = (...states: readonly ReturnType<typeof state>[]) => {
    const cache = createSegmentCache<number>(createCacheBudget(100), () => 1);
    const keys = ['2 1 7', '2 1 8', '2 2 7', '1 1 7'];
    for (const key of keys) cache.add(key, 'term', 1);
    for (const one of states) retainState(cache, one);
    return keys.filter((key) => cache.get(key, ['term']).size > 0);
  };

  it('loses the segments that a merge took from the tenant, and those of older versions', () => {
    expect(keysLeft(state(2, 1, 8, 9))).toEqual(['2 1 8', '2 2 7']);
    expect(keysLeft(state(1, 1, 7))).toEqual(['2 1 7', '2 1 8', '2 2 7', '1 1 7']);
    expect(keysLeft(state(2, 2, 7), state(2, 1, 7, 8))).toEqual(['2 1 7', '2 1 8', '2 2 7']);
  });
});

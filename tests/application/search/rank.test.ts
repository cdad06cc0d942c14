import { describe, expect, it } from 'vitest';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { RankedContent } from '../../../application/ports/search-index.ts';
import { type Indexes, rank } from '../../../application/search/retrieve.ts';
import type { SearchRequest } from '../../../application/search/search-request.ts';

const SCOPE: CatalogScope = { tenant: 't', only: null, access: null };
const VECTOR = { model: 'm', vector: Float32Array.of(1) };
const FILTER = { fileTypes: ['pdf'] };

/** Two indexes that answer this, and note what they are asked for. */
const open = (
  byWords: readonly RankedContent[],
  byVector: readonly RankedContent[] = [],
  corrected: object = {},
) => {
  const asked: { readonly leg: string; readonly request: unknown }[] = [];
  const leg = (name: string, ranked: readonly RankedContent[], totalCandidates: number) => ({
    rank: async (_: CatalogScope, request: unknown) => {
      asked.push({ leg: name, request });
      return { ranked, totalCandidates };
    },
  });
  const words = leg('words', byWords, 5);
  const vectors = leg('vectors', byVector, 9);
  const vectorIndex: Indexes['vectorIndex'] = {
    rank: async (scope, request) => ({ ...(await vectors.rank(scope, request)), floor: 0.2 }),
  };
  const searchIndex: Indexes['searchIndex'] = {
    rank: async (scope, request) => ({ ...(await words.rank(scope, request)), ...corrected }),
  };
  const indexes = { searchIndex, vectorIndex };
  return {
    asked,
    rank: (given: Partial<SearchRequest> = {}) =>
      rank(indexes, SCOPE, { query: 'q', filter: FILTER, limit: 2, usePostfilter: true, ...given }),
  };
};
const of = (contentId: string, score: number): RankedContent => ({ contentId, score });

describe('the legs of a search', () => {
  it('are both with a vector, read 1,000 deep whatever the limit, and fused before the minimum counts', async () => {
    const legs = open([of('a', 1), of('b', 0.5)], [of('b', 1), of('c', 0.2)]);
    const { ranked, totalCandidates } = await legs.rank({ vector: VECTOR, minScore: 0.2 });
    expect(ranked.map(({ contentId, ranks }) => [contentId, ranks])).toEqual([
      ['b', { keyword: 2, vector: 1 }],
      ['a', { keyword: 1 }],
    ]);
    // 'c' lies at the floor of its leg.
    expect(ranked.map(({ score }) => score)).toEqual([expect.closeTo(0.75, 12), expect.closeTo(0.5, 12)]);
    expect(totalCandidates).toBe(9);
    const request = { query: 'q', filter: FILTER, limit: 1_000, usePostfilter: true };
    expect(legs.asked).toEqual([
      { leg: 'words', request },
      { leg: 'vectors', request: { ...request, ...VECTOR } },
    ]);
  });

  it('are read as deep as the limit where that is more', async () => {
    const legs = open([], []);
    await legs.rank({ vector: VECTOR, limit: 5_000 });
    expect(legs.asked.map(({ request }) => (request as SearchRequest).limit)).toEqual([5_000, 5_000]);
  });

  it('tell what was searched for instead, and hold a least score only where there is one', async () => {
    const unwritten = [{ word: 'gizmo', isOfLanguage: false }];
    const legs = open([of('a', 1)], [of('b', 1)], { correctedQuery: 'wolverine', unwritten });
    expect((await legs.rank({ vector: VECTOR })).correctedQuery).toBe('wolverine');
    expect((await legs.rank({ vector: VECTOR })).unwritten).toEqual(unwritten);
    expect((await legs.rank()).unwritten).toEqual(unwritten);
    expect((await legs.rank()).correctedQuery).toBe('wolverine');
    expect(legs.asked.some(({ request }) => 'minScore' in (request as object))).toBe(false);
    const found = await open([of('a', 1)], [of('b', 1)]).rank({ vector: VECTOR });
    expect('correctedQuery' in found).toBe(false);
  });
});

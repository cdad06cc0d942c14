import { describe, expect, it } from 'vitest';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { RankedContent } from '../../../application/ports/search-index.ts';
import { rank } from '../../../application/retrieval/rank.ts';
import type { SearchRequest } from '../../../application/retrieval/search-request.ts';

const SCOPE: CatalogScope = { tenant: 't', only: null, access: null };
const VECTOR = { model: 'm', vector: Float32Array.of(1) };
const FILTER = { file_types: ['pdf'] };

/** Two indexes that answer this, and note what they are asked for. */
const open = (byWords: readonly RankedContent[], byVector: readonly RankedContent[] = []) => {
  const asked: { readonly leg: string; readonly request: unknown }[] = [];
  const leg = (name: string, ranked: readonly RankedContent[], total_candidates: number) => ({
    rank: async (_: CatalogScope, request: unknown) => {
      asked.push({ leg: name, request });
      return { ranked, total_candidates };
    },
  });
  const indexes = { searchIndex: leg('words', byWords, 5), vectorIndex: leg('vectors', byVector, 9) };
  return {
    asked,
    rank: (given: Partial<SearchRequest> = {}) =>
      rank(indexes, SCOPE, { query: 'q', filter: FILTER, limit: 2, use_postfilter: true, ...given }),
  };
};
const of = (content_id: string, score: number): RankedContent => ({ content_id, score });

describe('the legs of a search', () => {
  it('are words alone without a vector, no deeper than asked, and their scores stay as they are', async () => {
    const legs = open([of('b', 1), of('a', 0.4)]);
    expect(await legs.rank({ min_score: 0.3 })).toEqual({
      ranked: [
        { content_id: 'b', score: 1, ranks: { keyword: 1 } },
        { content_id: 'a', score: 0.4, ranks: { keyword: 2 } },
      ],
      total_candidates: 5,
    });
    const request = { query: 'q', filter: FILTER, limit: 2, use_postfilter: true, min_score: 0.3 };
    expect(legs.asked).toEqual([{ leg: 'words', request }]);
  });

  it('are both with a vector, read 1,000 deep whatever the limit, and fused before the minimum counts', async () => {
    const legs = open([of('a', 1), of('b', 0.5)], [of('b', 1), of('c', 0.2)]);
    const { ranked, total_candidates } = await legs.rank({ vector: VECTOR, min_score: 0.2 });
    expect(ranked.map(({ content_id, ranks }) => [content_id, ranks])).toEqual([
      ['a', { keyword: 1 }],
      ['b', { keyword: 2, vector: 1 }],
    ]);
    expect(ranked.map(({ score }) => score)).toEqual([
      expect.closeTo(1 / 1.3, 12),
      expect.closeTo((0.5 + 0.3) / 1.3, 12),
    ]);
    expect(total_candidates).toBe(9);
    const request = { query: 'q', filter: FILTER, limit: 1_000, use_postfilter: true };
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

  it('are vectors alone where only they are asked for', async () => {
    const legs = open([of('a', 1)], [of('b', 1), of('c', 0.2)]);
    const { ranked, total_candidates } = await legs.rank({
      vector: VECTOR,
      vector_only: true,
      min_score: 0.5,
    });
    expect(ranked).toEqual([{ content_id: 'b', score: 1, ranks: { vector: 1 } }]);
    expect([total_candidates, legs.asked.map(({ leg }) => leg)]).toEqual([9, ['vectors']]);
  });
});

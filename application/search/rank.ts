import { fuse, type Fused } from '../../domain/ranking/fuse.ts';
import { EVEN, legWeights } from '../../domain/ranking/leg-weights.ts';
import type { CatalogScope } from '../ports/catalog.ts';
import type { Ranking, SearchIndex } from '../ports/search-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import type { SearchRequest } from './search-request.ts';

/** The legs of a search. */
export interface Indexes {
  readonly searchIndex: Pick<SearchIndex, 'rank'>;
  readonly vectorIndex: Pick<VectorIndex, 'rank'>;
}

/** How deep either leg is read where both count: what lies below adds next to nothing to a score. */
const DEPTH = 1_000;

/**
 * Ranks by words, by vectors, or by both, as the request holds a vector. Words that nobody has written find nothing; a
 * vector ranks whatever has one.
 */
export const rank = async (
  { searchIndex, vectorIndex }: Indexes,
  scope: CatalogScope,
  { vector, vectorOnly = false, minScore, ...request }: SearchRequest,
): Promise<Omit<Ranking, 'ranked'> & { readonly ranked: readonly Fused[] }> => {
  const minimum = minScore !== undefined && { minScore };
  if (vector === undefined) {
    const { ranked, ...rest } = await searchIndex.rank(scope, { ...request, ...minimum });
    return {
      ranked: ranked.map((content, i) => ({ ...content, ranks: { keyword: i + 1 } })),
      ...rest,
    };
  }
  const deep = { ...request, limit: Math.max(DEPTH, request.limit) };
  const [byWords, byVector] = await Promise.all([
    vectorOnly ? undefined : searchIndex.rank(scope, deep),
    vectorIndex.rank(scope, { ...deep, ...vector }),
  ]);
  // Both are relative to the best that they ranked, shown or not. Without a word in common the score by words is 0.
  const legs = { keyword: byWords && { ...byWords, best: 1, floor: 0 }, vector: { ...byVector, best: 1 } };
  // Where words find nothing, vectors do not stand back.
  const weights = byWords?.ranked.length === 0 ? EVEN : legWeights(request.query);
  return {
    ranked: fuse(legs, { limit: request.limit, weights, ...minimum }),
    totalCandidates: Math.max(byVector.totalCandidates, byWords?.totalCandidates ?? 0),
    ...(byWords?.correctedQuery !== undefined && { correctedQuery: byWords.correctedQuery }),
    ...(byWords?.unwritten !== undefined && { unwritten: byWords.unwritten }),
  };
};

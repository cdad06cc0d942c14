import { type Fused, fuse } from '../../domain/ranking/fuse.ts';
import { type Features, featuresOf, FULL_SCORE, scoreOf, WEIGHTS } from '../../domain/ranking/score.ts';
import type { CatalogScope, Contents } from '../ports/catalog.ts';
import type { Ranking, WordIndex, VectorIndex } from '../ports/search-engine.ts';
import type { SearchHit, SearchRequest, SearchResult } from './retrieval-filter.ts';

/** The retrievers of a search engine. */
export interface Indexes {
  readonly words: Pick<WordIndex, 'rank'>;
  readonly vectors: Pick<VectorIndex, 'rank'>;
}

/** How many hits of each retriever are fused: lower ones add almost nothing to a score. */
const FUSED_HITS = 1_000;

/**
 * Ranks by keywords, by the vector, or by both, depending on the request. Words that no content contains find nothing;
 * a vector ranks every content that has a vector.
 */
export const rank = async (
  { words, vectors }: Indexes,
  scope: CatalogScope,
  { vector, vectorOnly = false, minScore, ...request }: SearchRequest,
): Promise<Omit<Ranking, 'ranked'> & { readonly ranked: readonly Fused[] }> => {
  const minimum = minScore !== undefined && { minScore };
  if (vector === undefined) {
    const { ranked, ...rest } = await words.rank(scope, { ...request, ...minimum });
    return {
      ranked: ranked.map((content, i) => ({ ...content, ranks: { keyword: i + 1 } })),
      ...rest,
    };
  }
  const deep = { ...request, limit: Math.max(FUSED_HITS, request.limit) };
  const [byWords, byVector] = await Promise.all([
    vectorOnly ? undefined : words.rank(scope, deep),
    vectors.rank(scope, { ...deep, ...vector }),
  ]);
  // Both scores are relative to the best ranked content, shown or not. A content without a common word has keyword
  // score 0.
  const legs = { keyword: byWords && { ...byWords, best: 1, floor: 0 }, vector: { ...byVector, best: 1 } };
  return {
    ranked: fuse(legs, { limit: request.limit, ...minimum }),
    totalCandidates: Math.max(byVector.totalCandidates, byWords?.totalCandidates ?? 0),
    ...(byWords?.correctedQuery !== undefined && { correctedQuery: byWords.correctedQuery }),
    ...(byWords?.rarities !== undefined && { rarities: byWords.rarities }),
  };
};

/** Finds the contents that best match a request, in the form of `contents`. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/** Number of hits that are scored by their texts. A request with a higher limit gets the same first results. */
const SCORED = 30;

/**
 * Ranks, loads the ranked contents, and orders the first 30 by `scoreOf`; later hits keep their order behind them.
 * Contents that were deleted meanwhile are left out. Results of a vector-only search keep the order of the vectors.
 */
export const createRetrieve =
  ({ contents, ...indexes }: RetrieveDeps): Retrieve =>
  async (scope, request) => {
    const { limit, minScore = 0, vectorOnly = false, query } = request;
    if (vectorOnly) {
      const { ranked, ...rest } = await rank(indexes, scope, request);
      return { results: await load(contents, scope, ranked), ...rest };
    }
    const { ranked, ...rest } = await rank(indexes, scope, {
      ...request,
      limit: Math.max(limit, SCORED),
      minScore: 0,
    });
    const wanted = ranked.filter(({ score }, i) => i < SCORED || fromRetrieval(score) >= minScore);
    const hits = await load(contents, scope, wanted);
    const candidates = hits.slice(0, SCORED).map(({ content, score }) => {
      const { sourceId: page, title, text } = content;
      return { page, title, text, score };
    });
    const features = featuresOf(rest.correctedQuery ?? query, candidates);
    const scored = hits.map((hit, i) => withScore(hit, features[i]));
    const results = scored
      .toSorted((a, b) => b.order - a.order)
      .filter(({ hit }) => hit.score >= minScore)
      .slice(0, limit)
      .map(({ hit }) => hit);
    return { results, ...rest };
  };

const fromRetrieval = (score: number): number => (WEIGHTS.retrieval * score) / FULL_SCORE;

/** A hit with its score, at most 1, and the number that orders it, which may be more. */
const withScore = (hit: SearchHit, features: Features | undefined) => {
  const order = features === undefined ? fromRetrieval(hit.score) : scoreOf(features) / FULL_SCORE;
  return { order, hit: { ...hit, score: Math.min(1, order), ...(features !== undefined && { features }) } };
};

const load = async (
  contents: RetrieveDeps['contents'],
  scope: CatalogScope,
  ranked: readonly Fused[],
): Promise<readonly SearchHit[]> => {
  const found = await contents.contentsById(
    scope,
    ranked.map(({ contentId }) => contentId),
  );
  const byId = new Map(found.map((content) => [content.id, content]));
  return ranked.flatMap(({ contentId, score, ranks }) => {
    const content = byId.get(contentId);
    return content === undefined ? [] : [{ content, score, ranks }];
  });
};

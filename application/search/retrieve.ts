import { termsAsked, passageScores, scoresAtPlaces } from '../../domain/answer/passage-scores.ts';
import { createTextReader, type ReadTextOf } from '../../domain/answer/read-text.ts';
import { createTitleScores } from '../../domain/answer/title-scores.ts';
import {
  leastBefore,
  weightOfDefinitions,
  weightOfLook,
  weightOfPhrases,
  weightOfSecondLook,
  weightOfTitles,
  afterLook,
  LOOKED_AT,
} from '../../domain/ranking/closer-look.ts';
import { createTextSimilarity } from '../../domain/ranking/likeness.ts';
import { PAGES_OF, sharingOf, weightOfPages } from '../../domain/ranking/page-evidence.ts';
import type { CatalogScope, Contents } from '../ports/catalog.ts';
import { byDefinitions, byLists, bySigns, byTitleTerms, byTitles, byPages, byLikeness } from './reorder.ts';
import type { SearchRequest, SearchResult, SearchHit } from './retrieval-filter.ts';
import { phraseScores } from '../../domain/answer/phrase-scores.ts';
import { EVEN, type Fused, REACH, fuse, legWeights, repeatedIn } from '../../domain/ranking/fuse.ts';
import type { Ranking, SearchIndex } from '../ports/search-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

/**
 * Lowers hits whose text several pages before them contain, so that the hits whose sentences are compared have
 * different texts. Scores stay between 0 and 1 and descending.
 *
 * @param hits best first
 * @param read reads their texts
 */
const demoteRepeated = (hits: readonly SearchHit[], read: ReadTextOf): readonly SearchHit[] => {
  const isRepeated = repeatedIn(({ content }: SearchHit) => ({
    page: content.sourceId,
    pieces: read(content.text).units,
  }));
  let others = 0;
  let anyRepeated = false;
  const scored = hits.map((hit, i) => {
    if (others >= LOOKED_AT || i >= REACH) return hit;
    if (!isRepeated(hit)) {
      others += 1;
      return hit;
    }
    anyRepeated = true;
    return { ...hit, score: hit.score / 2 };
  });
  return anyRepeated ? scored.toSorted((a, b) => b.score - a.score) : hits;
};

/** The retrievers of a search. */
export interface Indexes {
  readonly searchIndex: Pick<SearchIndex, 'rank'>;
  readonly vectorIndex: Pick<VectorIndex, 'rank'>;
}

/** How many hits of each retriever are fused: lower ones add almost nothing to a score. */
const FUSED_HITS = 1_000;

/**
 * Ranks by keywords, by the vector, or by both, depending on the request. Words that no content contains find nothing;
 * a vector ranks every content that has a vector.
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
  const deep = { ...request, limit: Math.max(FUSED_HITS, request.limit) };
  const [byWords, byVector] = await Promise.all([
    vectorOnly ? undefined : searchIndex.rank(scope, deep),
    vectorIndex.rank(scope, { ...deep, ...vector }),
  ]);
  // Both scores are relative to the best ranked content, shown or not. A content without a common word has keyword
  // score 0.
  const legs = { keyword: byWords && { ...byWords, best: 1, floor: 0 }, vector: { ...byVector, best: 1 } };
  // If the keyword ranking is empty, the vector ranking keeps its full weight.
  const weights = byWords?.ranked.length === 0 ? EVEN : legWeights(request.query);
  return {
    ranked: fuse(legs, { limit: request.limit, weights, ...minimum }),
    totalCandidates: Math.max(byVector.totalCandidates, byWords?.totalCandidates ?? 0),
    ...(byWords?.correctedQuery !== undefined && { correctedQuery: byWords.correctedQuery }),
    ...(byWords?.unwritten !== undefined && { unwritten: byWords.unwritten }),
  };
};

/**
 * Reorders the first hits by phrases of the query, and then by their best sentences; later hits keep their order.
 * Sentences of higher hits count for more, so a second pass uses the order after the first pass as the positions.
 * Scores stay between 0 and 1 and descending.
 *
 * @param hits best first
 * @param weights 0 for no change
 * @param read reads their texts
 */
const rescoreFirstHits = (
  query: string,
  hits: readonly SearchHit[],
  weights: LookWeights,
  read: ReadTextOf,
): readonly SearchHit[] => {
  const byPhrases = rescored(hits, weights.phrases, (texts) => phraseScores(query, texts, read));
  const { sentence, again } = weights;
  let scores: readonly number[] = [];
  const once = rescored(byPhrases, sentence, (texts) => (scores = passageScores(query, texts, read)));
  if (sentence === 0 || again === 0) return once;
  const positions = placesOf(byPhrases.slice(0, LOOKED_AT), once);
  return rescored(byPhrases, again, () => scoresAtPlaces(scores, positions));
};

/**
 * Weights of the phrases of the query, of a hit's best sentence, and of the second pass, relative to the hit's score.
 */
interface LookWeights {
  readonly phrases: number;
  readonly sentence: number;
  readonly again: number;
}

/** Positions of these hits in an order, counted among themselves. */
const placesOf = (hits: readonly SearchHit[], order: readonly SearchHit[]): readonly number[] => {
  const looked = new Set(hits.map(({ content }) => content.id));
  const ids = order.flatMap(({ content }) => (looked.has(content.id) ? [content.id] : []));
  const positions = new Map(ids.map((id, position) => [id, position]));
  return hits.map(({ content }) => positions.get(content.id)!);
};

const rescored = (
  hits: readonly SearchHit[],
  weight: number,
  scoresOf: (texts: readonly SearchHit['content'][]) => readonly number[],
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = scoresOf(hits.slice(0, LOOKED_AT).map(({ content }) => content));
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, scores[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};

/** Finds the contents that best match a request, in the form of `contents`. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/**
 * Ranks, loads the ranked contents, and reorders them: by similar hits, by the other hits of their pages, by titles,
 * by phrases and sentences, by definitions of what the query names, and finally by pages whose title equals the query.
 * Contents that were deleted meanwhile are left out. Results of a vector-only search keep their order; if a vector
 * took part in the ranking, hits are not compared by their words. Parsed texts and word counts are cached in memory.
 */
export const createRetrieve = ({ contents, ...indexes }: RetrieveDeps): Retrieve => {
  const read = createTextReader();
  const compare = createTextSimilarity();
  const titleScores = createTitleScores();
  return async (scope, request) => {
    const { limit, minScore = 0, vector, vectorOnly = false, query } = request;
    const terms = termsAsked(query);
    const pages = vectorOnly ? 0 : weightOfPages(query);
    const maxWeights = vectorOnly ? UNCHANGED : weightsFor(query, terms, 1);
    // Always read the same number, so that a request with a higher limit returns the same first results.
    const rankRequest = vectorOnly ? request : { ...request, limit: Math.max(limit, PAGES_OF), minScore: 0 };
    const { ranked, ...rest } = await rank(indexes, scope, rankRequest);
    // The first hits are read whatever they score, because page scores must not depend on the minimum score.
    const minRelevant = [maxWeights.again, maxWeights.phrases, maxWeights.titles, pages].reduce(
      (score, weight) => leastBefore(score, weight),
      minScore,
    );
    const selected = ranked.filter(({ score }, i) => score >= minRelevant || i < PAGES_OF);
    const found = await contents.contentsById(
      scope,
      selected.map(({ contentId }) => contentId),
    );
    const byId = new Map(found.map((content) => [content.id, content]));
    const hits = selected.flatMap(({ contentId, score, ranks }) => {
      const content = byId.get(contentId);
      return content === undefined ? [] : [{ content, score, ranks }];
    });
    const corrected = rest.correctedQuery ?? query;
    const alike = vector === undefined ? byLikeness(hits, terms, compare) : hits;
    const sharing = isOneWord(query) ? 0 : sharingOf(alike.map(({ content }) => content.sourceId));
    const weights = vectorOnly ? UNCHANGED : weightsFor(query, terms, sharing);
    const paged = byTitleTerms(corrected, byPages(alike, pages), weights.titles, titleScores);
    const looked = pages > 0 && weights.sentence > 0 ? demoteRepeated(paged, read) : paged;
    const inTexts = rescoreFirstHits(corrected, looked, weights, read);
    const explained = weights.sentence > 0 ? byLists(corrected, inTexts, read) : inTexts;
    const results = (
      vectorOnly
        ? inTexts
        : byTitles(corrected, byDefinitions(corrected, bySigns(query, explained), weights.definitions))
    )
      .filter(({ score }) => score >= minScore)
      .slice(0, limit);
    return { results, ...rest };
  };
};

const UNCHANGED = { titles: 0, phrases: 0, sentence: 0, again: 0, definitions: 0 };
const weightsFor = (query: string, terms: number, sharing: number) => ({
  titles: weightOfTitles(sharing),
  phrases: weightOfPhrases(query, terms, sharing),
  sentence: weightOfLook(terms, sharing),
  again: weightOfSecondLook(sharing),
  definitions: weightOfDefinitions(terms),
});

/** A single word names a thing, and its definition contains that word. */
const isOneWord = (query: string): boolean => !/\s/.test(query.trim());

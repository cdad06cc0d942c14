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
 * Puts hits back whose text stands in several pages before them: twelve that are looked at more closely are to be twelve
 * texts. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param read reads their texts
 */
const stepBack = (hits: readonly SearchHit[], read: ReadTextOf): readonly SearchHit[] => {
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

/**
 * Puts the first hits into the order that phrases of the query, and then their best sentences, speak for too; those
 * behind follow as they were. Sentences of hits further up count for more. So where there is a second look, the order of the
 * first tells the places by which they count. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param weights 0 to leave all as it is
 * @param read reads their texts
 */
const lookCloser = (
  query: string,
  hits: readonly SearchHit[],
  weights: LookWeights,
  read: ReadTextOf,
): readonly SearchHit[] => {
  const byPhrases = judged(hits, weights.phrases, (texts) => phraseScores(query, texts, read));
  const { sentence, again } = weights;
  let scores: readonly number[] = [];
  const once = judged(byPhrases, sentence, (texts) => (scores = passageScores(query, texts, read)));
  if (sentence === 0 || again === 0) return once;
  const places = placesOf(byPhrases.slice(0, LOOKED_AT), once);
  return judged(byPhrases, again, () => scoresAtPlaces(scores, places));
};

/** What the phrases of the query, and the best sentence of a hit, count beside its score; and this in a second look. */
interface LookWeights {
  readonly phrases: number;
  readonly sentence: number;
  readonly again: number;
}

/** Where these hits stand in an order, counted among themselves. */
const placesOf = (hits: readonly SearchHit[], order: readonly SearchHit[]): readonly number[] => {
  const looked = new Set(hits.map(({ content }) => content.id));
  const ids = order.flatMap(({ content }) => (looked.has(content.id) ? [content.id] : []));
  const places = new Map(ids.map((id, place) => [id, place]));
  return hits.map(({ content }) => places.get(content.id)!);
};

const judged = (
  hits: readonly SearchHit[],
  weight: number,
  judge: (texts: readonly SearchHit['content'][]) => readonly number[],
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = judge(hits.slice(0, LOOKED_AT).map(({ content }) => content));
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, scores[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};

/** Finds the contents that answer a request best, as `contents` shows them. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/**
 * Ranks, reads what was ranked, lets hits speak for others like them and pages for their hits, looks at the sentences of
 * the first hits, puts those forward that define what the query names, and pages that are called like the query first. A
 * content that goes in between is left out. What is ranked by vectors alone stays in their order; where vectors count at
 * all they tell what is alike, and words are not asked again. Texts whose sentences were looked at stay in memory, read,
 * and so do the words of those that were compared.
 */
export const createRetrieve = ({ contents, ...indexes }: RetrieveDeps): Retrieve => {
  const read = createTextReader();
  const compare = createTextSimilarity();
  const titleScores = createTitleScores();
  return async (scope, request) => {
    const { limit, minScore = 0, vector, vectorOnly = false, query } = request;
    const terms = termsAsked(query);
    const pages = vectorOnly ? 0 : weightOfPages(query);
    const most = vectorOnly ? UNCHANGED : weightsFor(query, terms, 1);
    // As many however few are wanted: who asks for more finds the same ones first.
    const asked = vectorOnly ? request : { ...request, limit: Math.max(limit, PAGES_OF), minScore: 0 };
    const { ranked, ...rest } = await rank(indexes, scope, asked);
    // The first are read whatever they score: what a page has in them does not depend on the least score.
    const least = [most.again, most.phrases, most.titles, pages].reduce(
      (score, weight) => leastBefore(score, weight),
      minScore,
    );
    const wanted = ranked.filter(({ score }, i) => score >= least || i < PAGES_OF);
    const found = await contents.contentsById(
      scope,
      wanted.map(({ contentId }) => contentId),
    );
    const byId = new Map(found.map((content) => [content.id, content]));
    const hits = wanted.flatMap(({ contentId, score, ranks }) => {
      const content = byId.get(contentId);
      return content === undefined ? [] : [{ content, score, ranks }];
    });
    const corrected = rest.correctedQuery ?? query;
    const alike = vector === undefined ? byLikeness(hits, terms, compare) : hits;
    const sharing = isOneWord(query) ? 0 : sharingOf(alike.map(({ content }) => content.sourceId));
    const weights = vectorOnly ? UNCHANGED : weightsFor(query, terms, sharing);
    const paged = byTitleTerms(corrected, byPages(alike, pages), weights.titles, titleScores);
    const looked = pages > 0 && weights.sentence > 0 ? stepBack(paged, read) : paged;
    const inTexts = lookCloser(corrected, looked, weights, read);
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

/** Who types a single word names a thing: what defines it is found by that name. */
const isOneWord = (query: string): boolean => !/\s/.test(query.trim());

import { withTitles, TITLED_OF, isTitle } from '../../domain/ranking/titled.ts';
import type { SearchHit } from './retrieval-filter.ts';
import type { TitleScores } from '../../domain/answer/title-scores.ts';
import { afterLook, LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import { withSigns } from '../../domain/ranking/asked-terms.ts';
import { withPages } from '../../domain/ranking/page-evidence.ts';
import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { weightOfLength } from '../../domain/ranking/link-lists.ts';
import {
  ALIKE_OF,
  type ComparedText,
  type LikenessOf,
  weightOfAlike,
  withAlike,
} from '../../domain/ranking/likeness.ts';
import { withDefinitions } from '../../domain/ranking/defined.ts';

/**
 * Raises hits that define what the query names. Scores stay between 0 and 1 and descending. The scores of other hits
 * do not change, so a minimum score selects the same ones.
 *
 * @param hits best first
 * @param weight 0 for no change
 */
export const byDefinitions = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
): readonly SearchHit[] => {
  const newScores = withDefinitions(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
    weight,
  );
  return hits
    .map((hit, i) => ({ hit, newScore: newScores[i] ?? 0 }))
    .toSorted((a, b) => b.newScore - a.newScore)
    .map(({ hit, newScore }) => ({ ...hit, score: Math.min(1, newScore) }));
};

/**
 * Raises hits that resemble other hits with high scores, if the query is long and most pages have one hit. Scores stay
 * between 0 and 1 and descending.
 *
 * @param hits best first
 * @param terms number of terms of the query
 * @param compare compares texts with each other
 */
export const byLikeness = (
  hits: readonly SearchHit[],
  terms: number,
  compare: (texts: readonly ComparedText[]) => LikenessOf,
): readonly SearchHit[] => {
  const pages = hits.map(({ content }) => content.sourceId);
  const weight = weightOfAlike(terms, pages);
  if (weight === 0) return hits;
  const likeness = compare(hits.slice(0, ALIKE_OF).map(({ content }) => content));
  const scores = withAlike(hits, likeness, weight);
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};

/**
 * How much the score of a list falls: its entries are short and contain the whole name, so their sentences score
 * highest.
 */
const LIST_PENALTY = 0.3;

/**
 * Lowers lists of entries, such as an index: they point to explanations of a name, but are none. Does not lower lists
 * of a page whose title equals the query, or when all hits are lists. Scores stay between 0 and 1 and descending.
 *
 * @param hits best first
 * @param read reads their texts
 */
export const byLists = (
  query: string,
  hits: readonly SearchHit[],
  read: ReadTextOf,
): readonly SearchHit[] => {
  const lists = hits
    .slice(0, LOOKED_AT)
    .map(({ content }) => isList(content.text, read) && !isTitle(query, content.title));
  if (!lists.includes(true) || !lists.includes(false)) return hits;
  return hits
    .map((hit, i) => (lists[i] === true ? { ...hit, score: Math.max(0, hit.score - LIST_PENALTY) } : hit))
    .toSorted((a, b) => b.score - a.score);
};

/** Cache key of a property of a text. */
const LIST = {};
const isList = (text: string, read: ReadTextOf): boolean =>
  read(text).once(LIST, () => ({ weight: weightOfLength(text) })).weight > 1;

/**
 * Reorders hits by the scores of their pages as well. Scores stay between 0 and 1 and descending.
 *
 * @param hits best first
 * @param weight of a page; 0 for no change
 */
export const byPages = (hits: readonly SearchHit[], weight: number): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = withPages(hits, ({ content }) => content.sourceId, weight);
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};

/**
 * Raises hits that contain words with signs exactly as they were typed. Scores stay between 0 and 1 and descending.
 * The scores of other hits do not change.
 *
 * @param hits best first
 */
export const bySigns = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const newScores = withSigns(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
  );
  return hits
    .map((hit, i) => ({ hit, newScore: newScores[i] ?? 0 }))
    .toSorted((a, b) => b.newScore - a.newScore)
    .map(({ hit, newScore }) => ({ ...hit, score: Math.min(1, newScore) }));
};

/**
 * Reorders the first hits by the titles of their pages as well. Scores stay between 0 and 1 and descending.
 *
 * @param hits best first
 * @param weight 0 for no change
 * @param titleScores scores their titles
 */
export const byTitleTerms = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
  titleScores: TitleScores,
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const first = hits.slice(0, TITLED_OF);
  const scores = titleScores(
    query,
    first.map(({ content }) => content),
  );
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, scores[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};

/**
 * Puts pages first whose title equals the query. Scores stay between 0 and 1 and descending. The scores of other hits
 * do not change, so a minimum score selects the same ones.
 *
 * @param hits best first
 */
export const byTitles = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const newScores = withTitles(
    query,
    hits.map(({ content, score }) => ({
      page: content.sourceId,
      title: content.title,
      url: content.url,
      score,
    })),
  );
  return hits
    .map((hit, i) => ({ hit, newScore: newScores[i] ?? 0 }))
    .toSorted((a, b) => b.newScore - a.newScore)
    .map(({ hit, newScore }) => ({ ...hit, score: Math.min(1, newScore) }));
};

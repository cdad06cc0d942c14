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
 * Puts hits forward that define what the query names. Scores stay 0 to 1 and fall from one hit to the next; those of
 * other hits stay what they are, so that a least score passes the same of them.
 *
 * @param hits best first
 * @param weight 0 to leave all as it is
 */
export const byDefinitions = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
): readonly SearchHit[] => {
  const places = withDefinitions(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
    weight,
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};

/**
 * Puts hits into the order that others like them speak for too, where the query is long and most pages have one hit.
 * Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param terms of the query
 * @param compare texts with each other
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

/** What a list falls behind by: an entry is short and has the whole name, so its best sentence is the best of all. */
const BEHIND = 0.3;

/**
 * Puts lists of entries back, such as an index: they lead to what explains a name, and do not explain it. Not those of a page that is
 * called like the query, and not where nothing but lists was found. Scores stay 0 to 1, and fall from one hit to the next.
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
    .map((hit, i) => (lists[i] === true ? { ...hit, score: Math.max(0, hit.score - BEHIND) } : hit))
    .toSorted((a, b) => b.score - a.score);
};

/** What of a text is kept under this. */
const LIST = {};
const isList = (text: string, read: ReadTextOf): boolean =>
  read(text).once(LIST, () => ({ weight: weightOfLength(text) })).weight > 1;

/**
 * Puts hits into the order that their pages speak for too. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param weight of a page, 0 to leave all as it is
 */
export const byPages = (hits: readonly SearchHit[], weight: number): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = withPages(hits, ({ content }) => content.sourceId, weight);
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};

/**
 * Puts hits forward that have words with signs as they were typed. Scores stay 0 to 1 and fall from one hit to the next; those
 * of other hits stay what they are.
 *
 * @param hits best first
 */
export const bySigns = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const places = withSigns(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};

/**
 * Puts the first hits into the order that the titles of their pages speak for too. Scores stay 0 to 1, and fall from one hit to
 * the next.
 *
 * @param hits best first
 * @param weight 0 to leave all as it is
 * @param titleScores reads their titles
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
 * Puts pages that are called like the query first. Scores stay 0 to 1 and fall from one hit to the next; those of other
 * hits stay what they are, so that a least score passes the same of them.
 *
 * @param hits best first
 */
export const byTitles = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const places = withTitles(
    query,
    hits.map(({ content, score }) => ({
      page: content.sourceId,
      title: content.title,
      url: content.url,
      score,
    })),
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};

import { collapse } from '../../domain/ranking/fuse.ts';
import { satisfies, type TypedQuery } from '../../domain/ranking/asked-terms.ts';
import type { SearchResult } from './retrieval-filter.ts';

/** How ranked hits become the list of results. */
export interface Arrangement {
  /** Null when the query has no syntax. */
  readonly typed: TypedQuery | null;
  readonly collapse: 'source' | 'none';
  readonly limit: number;
  /** Whether hits keep the features of their scores. */
  readonly explain?: boolean;
}

/** Hits read in addition to the limit, to replace hits that collapsing removes. */
const EXTRA_HITS = 30;
/** Number of hits that are checked for phrases and excluded words, because the index stores no word positions. */
const CHECKED_HITS = 1_000;

/** The number of ranked hits that an arrangement needs. */
export const depthOf = ({ typed, collapse: by, limit }: Arrangement): number => {
  if (typed !== null && typed.phrases.length + typed.excluded.length > 0)
    return Math.max(CHECKED_HITS, limit);
  return by === 'none' ? limit : Math.min(CHECKED_HITS, limit + EXTRA_HITS);
};

/**
 * Keeps the hits that contain the phrases and no excluded word, collapses them, and applies the limit;
 * without `explain` it leaves out their features. With phrases or
 * excluded words, only the checked hits that meet them count as candidates.
 */
export const arrange = <Found extends Pick<SearchResult, 'results' | 'totalCandidates'>>(
  found: Found,
  { typed, collapse: by, limit, explain = false }: Arrangement,
): Found => {
  const isChecked = typed !== null && typed.phrases.length + typed.excluded.length > 0;
  const isHeld = isChecked ? satisfies(typed) : () => true;
  const held = found.results.filter(({ content }) => isHeld([content.title, content.text]));
  const arranged = (by === 'none' ? held : collapse(held, ({ content }) => content)).slice(0, limit);
  const results = explain
    ? arranged
    : arranged.map(({ content, score, ranks }) => ({ content, score, ranks }));
  return { ...found, results, ...(isChecked && { totalCandidates: held.length }) };
};

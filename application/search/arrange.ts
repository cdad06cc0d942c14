import { collapse } from '../../domain/ranking/fuse.ts';
import { satisfies, type TypedQuery } from '../../domain/ranking/asked-terms.ts';
import type { SearchHit } from './retrieval-filter.ts';

/** How hits become the list that is shown. */
export interface Arrangement {
  /** Null where the query has no syntax. */
  readonly typed: TypedQuery | null;
  readonly collapse: 'source' | 'none';
  readonly limit: number;
}

/** Hits beyond the limit that may take the places of those that step back. */
const BEYOND = 30;
/** Hits among which phrases and excluded words are looked for: the index knows no positions. */
const DEPTH = 1_000;

/** How many hits an arrangement needs of the ranking. */
export const depthOf = ({ typed, collapse: by, limit }: Arrangement): number => {
  if (typed !== null && typed.phrases.length + typed.excluded.length > 0) return Math.max(DEPTH, limit);
  return by === 'none' ? limit : Math.min(DEPTH, limit + BEYOND);
};

/** Those that hold the phrases and nothing excluded, collapsed, at most as many as are asked for. */
export const arranged = (
  hits: readonly SearchHit[],
  { typed, collapse: by, limit }: Arrangement,
): readonly SearchHit[] => {
  const isHeld = typed === null ? () => true : satisfies(typed);
  const held = hits.filter(({ content }) => isHeld([content.title, content.text]));
  return (by === 'none' ? held : collapse(held, ({ content }) => content)).slice(0, limit);
};

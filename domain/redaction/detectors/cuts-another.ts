import type { Span } from './detector.ts';

/** Where something of a kind ends that begins at this offset, taken by itself; null: nothing does. */
export type EndAt = (text: string, at: number) => number | null;

/** How far back a longer number is looked for: what looks there looks back over half of it again at most. */
const BACK = 100;

/**
 * Whether something of a stronger kind covers a part of this span and more than it. Then the span is no finding, since it
 * would leave the rest of the other standing, whether a policy looks for the stronger kind or not.
 */
export const cutsAnother = (text: string, { start, end }: Span, stronger: readonly EndAt[]): boolean => {
  for (let at = Math.max(0, start - BACK); at < end; at += 1) {
    for (const endAt of stronger) {
      const other = endAt(text, at);
      if (other !== null && other > start && (at < start || other > end)) return true;
    }
  }
  return false;
};

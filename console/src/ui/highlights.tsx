import type { ReactNode } from 'react';

/** A part of a text that was found, in UTF-16 units. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

/**
 * A part of a text with what was found in it.
 *
 * @param from where the part begins, as the highlights count
 */
export const highlighted = (
  text: string,
  highlights: readonly Highlight[],
  from = 0,
): readonly ReactNode[] => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of highlights) {
    const [first, last] = [Math.max(at, start - from), Math.min(text.length, end - from)];
    if (first >= last) continue;
    parts.push(text.slice(at, first), <mark key={first}>{text.slice(first, last)}</mark>);
    at = last;
  }
  return [...parts, text.slice(at)];
};

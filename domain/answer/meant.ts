import { mistakes } from '../ranking/mistakes.ts';
import type { Asked } from './asked.ts';

/** Letters below which another letter is mostly another word. */
const LEAST = 5;
const LETTERS = /^[a-z]+$/;
/** More are no misspelling. */
const MISTAKES = 1;

/**
 * The question with terms that no text holds taken for the nearest that one does, where that is one letter away: a search
 * finds `simultanous` as it has the stem of what was meant. The same where nothing is near.
 *
 * @param missing terms of the question that no text holds
 * @param held all terms of the texts
 */
export function meantBy(asked: Asked, missing: ReadonlySet<string>, held: Iterable<string>): Asked {
  const misspelt = [...missing].filter((term) => term.length >= LEAST && LETTERS.test(term));
  if (misspelt.length === 0) return asked;
  const counts = new Map<string, number>();
  for (const term of held) counts.set(term, (counts.get(term) ?? 0) + 1);
  const meant = new Map<string, string>();
  for (const term of misspelt) {
    const near = [...counts].filter(([other]) => mistakes(term, other) <= MISTAKES);
    const best = near.reduce<readonly [string, number]>(
      (most, one) => (one[1] > most[1] ? one : most),
      [term, 0],
    );
    if (best[0] !== term) meant.set(term, best[0]);
  }
  if (meant.size === 0) return asked;
  const as = (terms: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...terms].map((term) => meant.get(term) ?? term));
  return { ...asked, terms: as(asked.terms), subject: as(asked.subject), sort: as(asked.sort) };
}

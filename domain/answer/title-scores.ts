import { titleParts } from '../ranking/names.ts';
import { askedBy } from './asked.ts';
import type { Passage } from './passage.ts';
import { termsOf } from './terms.ts';

/**
 * How much of a question the title of each passage says, and how little else: the share of the terms of both that they have
 * in common (Dice's coefficient), 0 to 1. Of a title the part that says most counts, without its number or what all of a site end
 * in, as `titleParts` has them.
 */
export function titleScores(
  question: string,
  passages: readonly Pick<Passage, 'title'>[],
): readonly number[] {
  const asked = askedBy(question).terms;
  const known = new Map<string, number>();
  return passages.map(({ title }) => {
    const score = known.get(title) ?? Math.max(...titleParts(title).map((part) => sharedBy(asked, part)));
    known.set(title, score);
    return score;
  });
}

function sharedBy(asked: ReadonlySet<string>, part: string): number {
  const terms = new Set(termsOf(part));
  const shared = asked.intersection(terms).size;
  return shared === 0 ? 0 : (2 * shared) / (asked.size + terms.size);
}

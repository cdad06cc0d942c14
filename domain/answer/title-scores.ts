import { titleParts } from '../ranking/names.ts';
import { askedBy } from './asked.ts';
import type { Passage } from './passage.ts';
import { termsOf } from './terms.ts';

export type TitleScores = (
  question: string,
  passages: readonly Pick<Passage, 'title'>[],
) => readonly number[];

/**
 * How much of a question the title of each passage says, and how little else: the share of the terms of both that they
 * have in common (Dice's coefficient), 0 to 1. Of a title the part that says most counts, without its number or what all of
 * a site end in, as `titleParts` has them. Titles that were read are kept, and forgotten when they are too many.
 *
 * @param maxKept titles, some 500 bytes each
 */
export const createTitleScores = (maxKept = 5_000): TitleScores => {
  const kept = new Map<string, readonly ReadonlySet<string>[]>();
  const partsOf = (title: string): readonly ReadonlySet<string>[] => {
    const known = kept.get(title);
    if (known !== undefined) return known;
    const parts = [...new Set(titleParts(title))].map((part) => new Set(termsOf(part)));
    if (kept.size >= maxKept) kept.clear();
    kept.set(title, parts);
    return parts;
  };
  return (question, passages) => {
    const asked = askedBy(question).terms;
    return passages.map(({ title }) =>
      partsOf(title).reduce((best, part) => Math.max(best, sharedBy(asked, part)), 0),
    );
  };
};

function sharedBy(asked: ReadonlySet<string>, part: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of part) if (asked.has(term)) shared += 1;
  return shared === 0 ? 0 : (2 * shared) / (asked.size + part.size);
}

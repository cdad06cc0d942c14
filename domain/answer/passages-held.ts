import type { Ranking } from './rank-sentences.ts';

/** Of the best sentences, those that may hold all. */
const LOOKED_AT = 5;
/** Of the subject, what passages that speak of it hold on average. */
const LEAST = 0.5;

/**
 * Whether the passages do not speak of how something is done: none of the best sentences holds the whole subject, and on
 * average a passage holds less than half of it. Where a site explains a thing, several of the passages found speak of
 * most of it; where it does not, each has another word. A name is found by itself.
 */
export function speaksOfOtherThings({ asked, sentences, texts }: Ranking): boolean {
  const { subject, names, isHow } = asked;
  if (!isHow || names.length > 0) return false;
  if (sentences.slice(0, LOOKED_AT).some(({ matched }) => subject.isSubsetOf(matched))) return false;
  const held = texts.map((passage) => termsHeld(passage, subject) / subject.size);
  return held.reduce((sum, share) => sum + share, 0) < LEAST * held.length;
}

const termsHeld = (passage: Ranking['texts'][number], subject: ReadonlySet<string>): number => {
  const held = new Set<string>();
  for (const { matched } of passage) for (const term of matched) if (subject.has(term)) held.add(term);
  return held.size;
};

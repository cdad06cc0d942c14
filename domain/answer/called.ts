import { termsOf } from './terms.ts';

/**
 * Terms of what a question calls by name, as `PowerDNS` and `Kenya`: of words with a capital letter that do not begin a
 * sentence. None where all words have one, as in a title.
 */
export function calledIn(question: string): ReadonlySet<string> {
  const words = question.split(/(?<=[.?!:])\s/).flatMap((sentence) => sentence.trim().split(/\s+/).slice(1));
  const called = words.filter((word) => /\p{Lu}/u.test(word));
  return new Set(called.length < words.length ? called.flatMap((word) => termsOf(word)) : []);
}

import { namedWords } from '../shared/named-words.ts';
import { termsOf } from './terms.ts';

/** Terms of what a question calls by name, as `PowerDNS` and `Kenya`. */
export const calledIn = (question: string): ReadonlySet<string> =>
  new Set(namedWords(question).flatMap((word) => termsOf(word)));

import { wordsOf } from '../shared/words.ts';
import { termOf } from './terms.ts';

/** What people say of where something is done, or with what: a manual has no need to. */
const VAGUE: ReadonlySet<string> = new Set(
  `anybody anyone anything app application applications apps code computer computers everyone everything machine machines
  people person program programs project projects script scripts somebody someone something stuff thing things
  way ways`.split(/\s+/),
);

/**
 * The terms of a question's vague words, as of "from a program" in "How do I run a coroutine from a program?". By the
 * words, as programming is no program.
 */
export const vagueTermsOf = (question: string): ReadonlySet<string> =>
  new Set(
    wordsOf(question)
      .filter((word) => VAGUE.has(word))
      .map(termOf)
      .filter((term) => term !== null),
  );

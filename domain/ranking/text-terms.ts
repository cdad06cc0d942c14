import { folded, wordsOf } from '../shared/words.ts';

/** The terms of a text, in order: its words without English stop words, without inflection and without accents. */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .map(termOf)
    .filter((term) => term !== null);
}

/** The term of one word of a text; null for a stop word. */
export const termOf = (word: string): string | null => {
  const known = terms.get(word);
  if (known !== undefined) return known;
  const term = ENGLISH_STOP_WORDS.has(word) ? null : stem(folded(word));
  if (terms.size >= MAX_KEPT) terms.clear();
  terms.set(word, term);
  return term;
};

/** Terms of words that were read, some 100 bytes each: to find an ending takes most of the time of a search otherwise. */
const terms = new Map<string, string | null>();
const MAX_KEPT = 20_000;

/** Longest first. What is left must be longer than three letters. */
const ENDINGS =
  `izations ization izing izers ized izes izer ize ations ments ation ingly ities ment ions ings ible able edly ness ally ity ies ing ion ers est ed es
  er or al ly ic s e y`.split(/\s+/);

/**
 * Takes the commonest English endings off, so that `installing`, `installation` and `installed` are one term. Light
 * and sometimes wrong; both sides of a comparison go through it. Words with digits stay as they are.
 */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.length === 4) return /[^aius]s$/.test(word) ? word.slice(0, -1) : word;
  const ending = ENDINGS.find((one) => word.length - one.length > 3 && word.endsWith(one));
  const base = ending === undefined || word.endsWith('ss') ? word : word.slice(0, -ending.length);
  return undoubled(base.length > 4 && base.endsWith('at') ? base.slice(0, -2) : base);
}

/** `runn` of `running` is `run`. */
function undoubled(base: string): string {
  const last = base.at(-1)!;
  return base.length > 3 && last === base.at(-2) && !'aeiouls'.includes(last) ? base.slice(0, -1) : base;
}

const listed = (words: string): ReadonlySet<string> => new Set(wordsOf(words).map(folded));

const ENGLISH_STOP_WORDS = listed(
  `a about after all also am among an and any anyone are as at be because been before being between but by can could
  did do does doing done each for from get give given had has have having he her here his how i if in into is it its
  just know let like may me might mine much must my no not of off on one or our ours please shall she should show so
  some such tell than that the their them then there these they this those to too under until up upon us very was we
  were what when where whether which while who whom whose why will with within without would you your yours
  explain describe don t s re ll ve d m`,
);

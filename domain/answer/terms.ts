import { folded } from '../shared/folding.ts';
import { wordsOf } from '../shared/words.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/**
 * Everyday words that mean the same in any manual: who asks has one, and who explains another. By their stems, and by
 * the words where a stem has others too: folding is no folder, and what is large not the largest. Words that mean something
 * else beside, such as show and list, or start and begin, are left alone.
 */
const STEMS: Readonly<Record<string, string>> = {
  delet: 'remov',
  eras: 'remov',
  max: 'maximum',
  min: 'minimum',
  execut: 'run',
  permit: 'allow',
  deny: 'forbid',
  prohibit: 'forbid',
  deactiv: 'disabl',
};
const WORDS: Readonly<Record<string, string>> = {
  largest: 'maximum',
  greatest: 'maximum',
  smallest: 'minimum',
  folder: 'director',
  folders: 'director',
  denied: 'forbid',
  denies: 'forbid',
  activate: 'enabl',
  activates: 'enabl',
  activated: 'enabl',
  activating: 'enabl',
};
const [BY_STEM, BY_WORD] = [STEMS, WORDS].map((one) => new Map(Object.entries(one)));

/** The term of a word: of all that mean the same one, whichever was written. */
const sameTerm = (word: string, ending: string): string =>
  BY_WORD!.get(word) ?? BY_STEM!.get(ending) ?? ending;

/** The terms of a text, in order: its words without English stop words, without inflection and without accents. */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .map(termOf)
    .filter((term) => term !== null);
}

/** The term of one word of a text; null for a stop word. */
export const termOf = (word: string): string | null => {
  if (ENGLISH_STOP_WORDS.has(word)) return null;
  const bare = folded(word);
  return sameTerm(bare, stem(bare));
};

/** Longest first. What is left must be longer than three letters. */
const ENDINGS =
  `izations ization izing izers ized izes izer ize ations ments ation ingly ities ment ions ings ible able edly ness ally ity ies ing ion ers est ed es
  er or al ly ic s e y`.split(/\s+/);

/**
 * Takes the commonest English endings off, so that `installing`, `installation` and `installed` are one term. Light
 * and sometimes wrong; both sides of a comparison go through it. Words with digits stay as they are.
 */
export function stem(word: string): string {
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

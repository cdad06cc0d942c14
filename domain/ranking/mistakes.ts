import { areAlike, isEasilyAdded } from './alike-letters.ts';
import { type Costs, editDistance } from './edit-distance.ts';

/** Letters below which another letter is mostly another word: `stop`, `step`. */
export const SHORT = 6;
/** Letters from which on there may be two mistakes. */
const LONG = 8;
/** Added where the first letter is wrong: it seldom is. */
const OTHER_INITIAL = 0.5;

/** Of two mistakes neither may be one that hands and ears seldom make: `decibels` is not meant for `decides`. */
const LIKELY: Costs = {
  change: (from, to) => (areAlike(from, to) ? 1 : 2),
  takeOut: (letter, before) => (isEasilyAdded(letter, before) ? 1 : 2),
};

/**
 * How far two words are apart; infinite where it is too far for one to have been meant for the other. One mistake in words
 * of four to seven letters, two in longer ones, which must be likely ones; only one where the first letter is wrong.
 */
export const mistakes = (form: string, word: string): number => {
  if (form.length < 4) return Infinity;
  if (form[0] !== word[0])
    return form.length >= SHORT && differsAtFirst(form, word) ? 1 + OTHER_INITIAL : Infinity;
  const most = mostMistakes(form);
  const distance = editDistance(form, word, most);
  if (distance > most || (distance > 1 && editDistance(form, word, most, LIKELY) > most)) return Infinity;
  const another = form.length < SHORT && form.length === word.length && sorted(form) !== sorted(word);
  return another ? Infinity : distance;
};

/** How many there may be in a word where the first letter is right; one where it is wrong. */
export const mostMistakes = ({ length }: string): number => (length < LONG ? 1 : 2);

/** One letter put in, left out, changed for one like it or swapped at the beginning, and all the rest the same. */
const differsAtFirst = (form: string, word: string): boolean => {
  const rest = form.slice(1);
  return (
    rest === word ||
    form === word.slice(1) ||
    (rest === word.slice(1) && areAlike(form[0]!, word[0]!)) ||
    `${form[1]}${form[0]}${form.slice(2)}` === word
  );
};

/**
 * Of words that are equally far, which is the likelier to have been meant: letters are swapped and left out rather than
 * changed, and changed rather than put in, and the last letter is seldom wrong. Higher is likelier.
 */
export const likelihood = (form: string, word: string): number => {
  const end = form.at(-1) === word.at(-1) ? 0.5 : 0;
  if (sorted(form) === sorted(word)) return 3 + end;
  return 1 + Math.sign(word.length - form.length) + end;
};

const sorted = (word: string): string => [...word].toSorted().join('');

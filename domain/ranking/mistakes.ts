/** What it costs to change a letter of the first word into one of the second, and to take one out behind another. */
interface Costs {
  readonly change: (from: string, to: string) => number;
  readonly takeOut: (letter: string, before: string | undefined) => number;
}
const ALL_ALIKE: Costs = { change: () => 1, takeOut: () => 1 };

/**
 * How many letters have to be put in, taken out, changed or swapped with their neighbour to make one word of the other
 * (optimal string alignment); `most` + 1 as soon as it is more than `most`. UTF-16 units count as letters.
 */
export const editDistance = (a: string, b: string, most: number, costs = ALL_ALIKE): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const out = costs.takeOut(a[i - 1]!, a[i - 2]);
    const row = [(last[0] ?? 0) + out];
    let least = row[0]!;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const change = same ? 0 : costs.change(a[i - 1]!, b[j - 1]!);
      let cost = Math.min((last[j] ?? 0) + out, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
};

/** Letters of English that are taken for each other, as they sound alike or lie beside each other in words. */
const ALIKE = ['aeiouy', 'ckqsxz', 'gj', 'fvw', 'dt', 'mn'];
const GROUPS: ReadonlyMap<string, number> = new Map(
  ALIKE.flatMap((letters, group) => [...letters].map((letter) => [letter, group] as const)),
);

/** Whether one letter may stand where another was meant; of scripts beside plain Latin nothing is known, so any may. */
const areAlike = (a: string, b: string): boolean =>
  !PLAIN.test(a) || !PLAIN.test(b) || (GROUPS.has(a) && GROUPS.get(a) === GROUPS.get(b));

/** Whether a letter too many is likely: one that is written twice, or a vowel. */
const isEasilyAdded = (letter: string, before: string | undefined): boolean =>
  letter === before || !PLAIN.test(letter) || GROUPS.get(letter) === 0;

const PLAIN = /^[a-z]$/;

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
  const most = maxMistakes(form);
  const distance = editDistance(form, word, most);
  if (distance > most || (distance > 1 && editDistance(form, word, most, LIKELY) > most)) return Infinity;
  const another = form.length < SHORT && form.length === word.length && sorted(form) !== sorted(word);
  return another ? Infinity : distance;
};

/** How many there may be in a word where the first letter is right; one where it is wrong. */
export const maxMistakes = ({ length }: string): number => (length < LONG ? 1 : 2);

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

/** Letters of English that are taken for each other, as they sound alike or lie beside each other in words. */
const ALIKE = ['aeiouy', 'ckqsxz', 'gj', 'fvw', 'dt', 'mn'];
const GROUPS: ReadonlyMap<string, number> = new Map(
  ALIKE.flatMap((letters, group) => [...letters].map((letter) => [letter, group] as const)),
);

/** Whether one letter may stand where another was meant; of scripts beside plain Latin nothing is known, so any may. */
export const areAlike = (a: string, b: string): boolean =>
  !PLAIN.test(a) || !PLAIN.test(b) || (GROUPS.has(a) && GROUPS.get(a) === GROUPS.get(b));

/** Whether a letter too many is likely: one that is written twice, or a vowel. */
export const isEasilyAdded = (letter: string, before: string | undefined): boolean =>
  letter === before || !PLAIN.test(letter) || GROUPS.get(letter) === 0;

const PLAIN = /^[a-z]$/;

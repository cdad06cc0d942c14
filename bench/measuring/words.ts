const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo yu za'.split(' ');

/** The made-up word at this place, from 1, of a language. */
export const word = (rank: number): string => {
  let text = '';
  for (let rest = rank * 7; ; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
    if (rest < SYLLABLES.length) return text + SYLLABLES[rank % 19] + SYLLABLES[rank % 17];
  }
};

/** A word by Zipf's law: the nth comes about once where the first comes n times. */
export const zipfWord = (random: () => number, vocabulary: number): string =>
  word(Math.floor(vocabulary ** random()));

/** A linear congruential generator (the constants of Numerical Recipes): numbers from 0 to 1, the same every time. */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

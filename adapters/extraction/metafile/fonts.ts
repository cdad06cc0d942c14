/** Character sets of fonts ([MS-WMF] 2.1.1.5): their letters, or pictures under the numbers of letters. */
export const WESTERN = 0;
export const SYMBOLS = 2;

/** A picture with more is no picture. */
export const MOST_CHARACTERS = 200_000;

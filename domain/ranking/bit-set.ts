/** Small whole numbers from 0 on, 32 to a word. */
export type BitSet = Uint32Array;

export const wordsFor = (count: number): number => Math.ceil(count / 32);

export const hasBit = (set: BitSet, at: number): boolean =>
  (((set[at >>> 5] as number) >>> (at & 31)) & 1) === 1;

export const setBit = (set: BitSet, at: number): void => {
  set[at >>> 5] = (set[at >>> 5] as number) | (1 << (at & 31));
};

export const clearBit = (set: BitSet, at: number): void => {
  set[at >>> 5] = (set[at >>> 5] as number) & ~(1 << (at & 31));
};

/** How many of the first are not in the second. */
export const countWithout = (set: BitSet, without: BitSet, words: number): number => {
  let count = 0;
  for (let i = 0; i < words; i++) {
    // Bits added up in pairs, then in fours, then in bytes (Warren, "Hacker's Delight", 2012, section 5-1).
    let word = (set[i] as number) & ~(without[i] as number);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
};

/** Numbers that look random and come again with the same seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** A whole number, both bounds inclusive. */
  readonly between: (least: number, most: number) => number;
  /** @throws for an empty list */
  readonly pick: <T>(items: readonly T[]) => T;
  readonly hex: (digits: number) => string;
}

/** SplitMix (Steele, Lea and Flood, 2014) on 32 bits: any seed will do, and neighbours of a seed give other numbers. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
};

import type { AskedWord } from './asked-terms.ts';

/** In how many contents and titles something is. */
interface Rarity {
  readonly df: number;
  readonly titleDf: number;
}

/**
 * Terms of one word are as rare as the word is, whatever language they are of: contents in a language that few are
 * written in would else come first to every word that they have in common with the others. A word is in as many contents
 * as have one of its terms, at most in all.
 *
 * @param contents of the tenant
 */
export const withSharedRarity = <T extends Rarity & { readonly term: string }>(
  asked: readonly Pick<AskedWord, 'terms'>[],
  terms: readonly T[],
  contents: number,
): readonly T[] => {
  const several = asked.filter((word) => word.terms.length > 1);
  if (several.length === 0) return terms;
  const known = new Map(terms.map((of) => [of.term, of]));
  const shared = new Map<string, Rarity>();
  for (const word of several) {
    const found = word.terms.flatMap((term) => known.get(term) ?? []);
    const df = sumOf(found, contents, (of) => of.df);
    const titleDf = sumOf(found, contents, (of) => of.titleDf);
    for (const { term } of found) {
      const before = shared.get(term) ?? NONE;
      shared.set(term, { df: Math.max(df, before.df), titleDf: Math.max(titleDf, before.titleDf) });
    }
  }
  return terms.map((of) => ({ ...of, ...shared.get(of.term) }));
};

const NONE: Rarity = { df: 0, titleDf: 0 };

const sumOf = (found: readonly Rarity[], most: number, of: (one: Rarity) => number): number =>
  Math.min(
    most,
    found.reduce((sum, one) => sum + of(one), 0),
  );

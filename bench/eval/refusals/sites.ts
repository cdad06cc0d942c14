import type { Passage } from '../../../domain/answer/passage.ts';
import type { Case } from './cases.ts';

/** How much of a site a question is asked of: all that the search found, or as if the site had few pages. */
export const SITES = ['whole', 'alone', 'beside one', 'beside five'] as const;
export type Site = (typeof SITES)[number];

/** Questions apart, so that what stands beside is of another subject; no common factor with the number of most. */
const STRIDE = 7;

/** What would be found on a site of this size: the passage that tells the answer, and the first of other questions. */
export const passagesOn = (site: Site, cases: readonly Case[], i: number): readonly Passage[] => {
  const { passages, telling } = cases[i]!;
  if (site === 'whole') return passages;
  const told = passages[telling];
  if (told === undefined) return [];
  const beside = { alone: 0, 'beside one': 1, 'beside five': 5 }[site];
  const others: Passage[] = [];
  for (let step = 1; others.length < beside && step < cases.length; step += 1) {
    const one = cases[(i + step * STRIDE) % cases.length]!.passages[0];
    const isNew = one !== undefined && [told, ...others].every(({ text }) => text !== one.text);
    if (isNew) others.push(one);
  }
  return [told, ...others];
};

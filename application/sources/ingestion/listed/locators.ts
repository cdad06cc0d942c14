import type { Hash } from '../../../ports/identity.ts';
import type { FetchedUnit, ListedUnit } from './listed-source.ts';

/** Above, a locator is no key of an index any more. */
const LONGEST = 2_000;
const SHOWN = 200;

/** A unit whose name cannot be used, under one that can. */
export interface RefusedUnit extends ListedUnit {
  readonly fetched: Extract<FetchedUnit, { kind: 'failed' }>;
}

export const nameOf = ({ locator }: ListedUnit): string => locator;

/** Each locator once: the first wins. Empty and over-long ones are errors of their unit, each listed on its own. */
export const usableUnits = (
  hash: Hash,
  units: readonly ListedUnit[],
): { readonly usable: readonly ListedUnit[]; readonly refused: readonly RefusedUnit[] } => {
  const firstOf = new Map(units.map(({ locator }, i) => [locator, i] as const).toReversed());
  const once = units.filter((unit, i) => i === firstOf.get(unit.locator));
  const usable = once.filter(({ locator }) => problemOf(locator) === null);
  const refused = once.flatMap((unit): RefusedUnit | [] => {
    const problem = problemOf(unit.locator);
    if (problem === null) return [];
    const shown = unit.locator.replaceAll('\0', '').slice(0, SHOWN);
    const locator = `${shown}…${hash.sha256(unit.locator).slice(0, 16)}`;
    return { ...unit, locator, fetched: { kind: 'failed', ...problem } };
  });
  return { usable, refused };
};

const problemOf = (locator: string): { readonly code: string; readonly message: string } | null => {
  if (locator === '') return { code: 'locator_empty', message: 'the provider gives it no name' };
  if (locator.length > LONGEST)
    return { code: 'locator_too_long', message: `its name has more than ${LONGEST} characters` };
  // Postgres keeps no text with it.
  if (locator.includes('\0')) return { code: 'locator_invalid', message: 'its name holds a NUL character' };
  return null;
};

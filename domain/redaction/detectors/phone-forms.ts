import type { DigitGroup } from './digit-groups.ts';
import { SPACES } from './separators.ts';

const lengths = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits.length).join(',');

/**
 * How numbers are written in countries without a trunk zero, where that tells them from amounts and from ids: groups as
 * they are usual there, and the figures that numbers begin with. Signs: whether hyphens may stand between.
 */
const NATIONAL: readonly (readonly [shapes: readonly string[], begin: RegExp, signs: Signs])[] = [
  // North America: area and exchange do not begin with 0 or 1.
  [['3,3,4'], /^[2-9]..[2-9]/, 'any'],
  [['1,3,3,4'], /^1[2-9]..[2-9]/, 'any'],
  // China, mobile.
  [['3,4,4', '11'], /^1[3-9]/, 'any'],
  // India, mobile.
  [['5,5'], /^[6-9]/, 'any'],
  // Italy, mobile.
  [['3,7', '3,3,4', '3,4,3'], /^3[2-9]/, 'any'],
  // Spain, fixed and mobile.
  [['2,3,2,2'], /^9[1-8]/, 'any'],
  [['3,2,2,2'], /^[6-9]/, 'any'],
  // Norway, mobile.
  [['3,2,3'], /^[49]/, 'spaces'],
  // Brazil: area and number, whose last four stand behind a hyphen.
  [['2,5,4'], /^[1-9]\d9/, 'hyphen'],
  [['2,4,4'], /^[1-9]\d[2-5]/, 'hyphen'],
  // Russia and Kazakhstan: trunk prefix 8 and an area of three figures.
  [['1,3,3,2,2', '1,3,3,4', '1,3,7'], /^8[3489]/, 'any'],
];
type Signs = 'any' | 'spaces' | 'hyphen';

/** Whether groups of figures without `+` or trunk zero are a telephone number by the way they are written alone. */
export const isNationalForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  const shape = lengths(groups);
  const separators = groups.slice(1).map(({ separator }) => separator);
  return NATIONAL.some(
    ([shapes, begin, signs]) => shapes.includes(shape) && begin.test(digits) && allows(signs, separators),
  );
};

const allows = (signs: Signs, separators: readonly string[]): boolean =>
  signs === 'any' ||
  (signs === 'spaces' && separators.every((one) => SPACES.includes(one))) ||
  (signs === 'hyphen' && HYPHENS.includes(separators[1]!));
const HYPHENS = '-\u2010\u2011\u2013';

const YEAR = /^(?:19|20)\d\d$/;
/** Days, months and years. */
const DATES = ['2,2,4', '4,2,2'];
/** Thousands in groups; three groups of three are usual in Spain and Poland. */
const AMOUNTS = ['2,3,3', '2,3,3,3', '3,3,3,3'];

/**
 * Whether groups that a word announced can be a telephone number of any country: 12 figures at most, none of the groups
 * a single one, and not dates, years or amounts.
 */
export const isAnnouncedForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  if (digits.length > 12) return false;
  if (groups.some((group) => group.digits.length < 2)) return false;
  const shape = lengths(groups);
  if (groups.every((group) => YEAR.test(group.digits))) return false;
  if (DATES.includes(shape) && groups.some((group) => YEAR.test(group.digits))) return false;
  return !AMOUNTS.includes(shape) && !digits.endsWith('000000');
};

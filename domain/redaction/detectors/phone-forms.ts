import type { DigitGroup } from './digit-groups.ts';
import { SPACES } from './separators.ts';

const lengths = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits.length).join(',');

/** NANP: area and exchange do not begin with 0 or 1. */
const isNorthAmerican = (shape: string, digits: string): boolean =>
  /^(?:1,)?3,3,4$/.test(shape) && /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits);

/**
 * How numbers are written in countries without a trunk zero, where that tells them from amounts and from ids: groups as
 * they are usual there, and the figures that numbers begin with. Signs: whether hyphens may stand between.
 */
const NATIONAL: readonly (readonly [shape: RegExp, digits: RegExp, signs: 'any' | 'spaces' | 'hyphen'])[] = [
  // China, mobile.
  [/^(?:3,4,4|11)$/, /^1[3-9]\d{9}$/, 'any'],
  // India, mobile.
  [/^5,5$/, /^[6-9]\d{9}$/, 'any'],
  // Italy, mobile.
  [/^(?:3,7|3,3,4|3,4,3)$/, /^3[2-9]\d{8}$/, 'any'],
  // Spain, fixed and mobile.
  [/^2,3,2,2$/, /^9[1-8]\d{7}$/, 'any'],
  [/^3,2,2,2$/, /^[6-9]\d{8}$/, 'any'],
  // Norway, mobile.
  [/^3,2,3$/, /^[49]\d{7}$/, 'spaces'],
  // Brazil: area and number, whose last four stand behind a hyphen.
  [/^2,[45],4$/, /^[1-9]\d(?:9\d{8}|[2-5]\d{7})$/, 'hyphen'],
];
/** Russia and Kazakhstan: trunk prefix 8 and an area of three figures. */
const RUSSIAN = /^1,3,(?:3,2,2|3,4|7)$/;

/** Whether groups of figures without `+` or trunk zero are a telephone number by the way they are written alone. */
export const isNationalForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  const shape = lengths(groups);
  if (RUSSIAN.test(shape) && /^8[3489]\d{9}$/.test(digits)) return true;
  const separators = groups.slice(1).map(({ separator }) => separator);
  return (
    isNorthAmerican(shape, digits) ||
    NATIONAL.some(
      ([form, numbers, signs]) => form.test(shape) && numbers.test(digits) && allows(signs, separators),
    )
  );
};

const allows = (signs: 'any' | 'spaces' | 'hyphen', separators: readonly string[]): boolean =>
  signs === 'any' ||
  (signs === 'spaces' && separators.every((one) => SPACES.includes(one))) ||
  (signs === 'hyphen' && /^[-\u2010\u2011\u2013]$/.test(separators.at(-1) ?? ''));

/**
 * Whether groups that a word announced can be a telephone number of any country: 7 to 12 figures, none of the groups a
 * single one, and not dates, years or amounts.
 */
export const isAnnouncedForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  if (digits.length < 7 || digits.length > 12) return false;
  if (groups.some((group) => group.digits.length < 2)) return false;
  const shape = lengths(groups);
  if (groups.every((group) => /^(?:19|20)\d\d$/.test(group.digits))) return false;
  if (/^(?:2,2,4|4,2,2)$/.test(shape) && groups.some((group) => /^(?:19|20)\d\d$/.test(group.digits)))
    return false;
  // Thousands in groups; three groups of three are usual in Spain and Poland.
  return !/^(?:[12](?:,3)+|3(?:,3){3,})$/.test(shape) && !digits.endsWith('000000');
};

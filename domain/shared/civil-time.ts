/**
 * The proleptic Gregorian calendar in integers: days and seconds since 1970-01-01T00:00:00 of any clock (UTC or
 * local), so that calendar rules need neither a clock nor a time zone.
 */
export const SECONDS_PER_DAY = 86_400;

/** After this many days (400 years, 20,871 whole weeks) the calendar repeats itself exactly. */
export const DAYS_PER_GREGORIAN_CYCLE = 146_097;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  /** 1 to 31 */
  readonly day: number;
}

const DAYS_FROM_0000_03_01_TO_1970_01_01 = 719_468;

/** Days since 1970-01-01. Internally years start in March, so that the leap day is the last day of its year. */
export function daysFromCivil({ year, month, day }: CivilDate): number {
  const y = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(y / 400);
  const yearOfCycle = y - cycle * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfCycle =
    yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * DAYS_PER_GREGORIAN_CYCLE + dayOfCycle - DAYS_FROM_0000_03_01_TO_1970_01_01;
}

/** The inverse of `daysFromCivil`. */
export function civilFromDays(days: number): CivilDate {
  const shifted = days + DAYS_FROM_0000_03_01_TO_1970_01_01;
  const cycle = Math.floor(shifted / DAYS_PER_GREGORIAN_CYCLE);
  const dayOfCycle = shifted - cycle * DAYS_PER_GREGORIAN_CYCLE;
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096);
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365);
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((monthFromMarch + 2) % 12) + 1;
  return {
    year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** 0 is Monday, 6 is Sunday. 1970-01-01 was a Thursday. */
export function weekdayOfDays(days: number): number {
  return (((days + 3) % 7) + 7) % 7;
}

const BASIC_DATE_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/;
type SixNumbers = [number, number, number, number, number, number];

/**
 * Parses `YYYYMMDDTHHMMSS` (RFC 5545, 3.3.5, form 1) as seconds; undefined when the format or the date is invalid.
 * Second 60 is read as 59, as RFC 5545, 3.3.12 recommends where leap seconds are not supported.
 */
export function parseBasicDateTime(text: string): number | undefined {
  const form = BASIC_DATE_TIME.exec(text);
  if (form === null) return undefined;
  const [year, month, day, hour, minute, second] = form.slice(1).map(Number) as SixNumbers;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const days = daysFromCivil({ year, month, day });
  // A day that does not exist in its month becomes a day of another month.
  if (civilFromDays(days).month !== month) return undefined;
  return days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + Math.min(second, 59);
}

/** Writes seconds as `YYYYMMDDTHHMMSS`. */
export function formatBasicDateTime(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const { year, month, day } = civilFromDays(days);
  const time = seconds - days * SECONDS_PER_DAY;
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
  const clock = pad(Math.floor(time / 3600)) + pad(Math.floor(time / 60) % 60) + pad(time % 60);
  return `${pad(year, 4)}${pad(month)}${pad(day)}T${clock}`;
}

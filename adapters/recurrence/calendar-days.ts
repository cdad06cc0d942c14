// rrule is a CommonJS module whose types claim otherwise: named imports compile and fail at run time
// oxlint-disable-next-line import/default
import rrule, { type Options } from 'rrule';
import {
  civilFromDays,
  daysFromCivil,
  DAYS_PER_GREGORIAN_CYCLE,
  SECONDS_PER_DAY,
  weekdayOfDays,
} from '../../domain/shared/civil-time.ts';
import {
  WEEKDAYS,
  type RecurrenceRule,
  type WeekdayOrdinal,
} from '../../domain/recurrence/recurrence-rule.ts';

const { RRule, Weekday } = rrule;

const MILLISECONDS_PER_DAY = SECONDS_PER_DAY * 1000;
const LAST_DAY_OF_RRULE = daysFromCivil({ year: 9999, month: 12, day: 31 });
const FIRST_CHUNK = 4;
const LARGEST_CHUNK = 256;

/**
 * rrule scans on to the year 9999 when a rule has no more days, and nothing bounds it. So the calendar is read
 * a whole number of 400-year cycles later, where it is the same and the end is 100 to 500 years away.
 */
function cycleShift(day: number): number {
  const { year } = civilFromDays(day);
  return Math.floor((9899 - year) / 400) * DAYS_PER_GREGORIAN_CYCLE;
}

/** rrule takes `MO,1TU` as days that are both; as ordinals alone they are read as one list of days. */
function ordinals({ ordinal }: WeekdayOrdinal, mixed: boolean, most: number): number[] {
  if (ordinal !== 0) return [ordinal];
  return mixed ? Array.from({ length: most }, (_, index) => index + 1) : [0];
}

function weekdays(rule: RecurrenceRule): InstanceType<typeof Weekday>[] {
  const mixed = rule.byDay.some((day) => day.ordinal !== 0);
  const most = rule.freq === 'YEARLY' && rule.byMonth.length === 0 ? 53 : 5;
  return rule.byDay.flatMap((day) =>
    ordinals(day, mixed, most).map((n) =>
      n === 0 ? new Weekday(WEEKDAYS.indexOf(day.weekday)) : new Weekday(WEEKDAYS.indexOf(day.weekday), n),
    ),
  );
}

/** With INTERVAL=1 the shorter frequencies only filter days, and months are what rrule steps over fastest. */
function dayOptions(rule: RecurrenceRule): Partial<Options> {
  const { byMonth, byMonthDay, byYearDay } = rule;
  const byDay = weekdays(rule);
  const open = byMonthDay.length === 0 && byYearDay.length === 0 && byDay.length === 0;
  const given = (list: readonly number[]): number[] | null => (list.length === 0 ? null : [...list]);
  return {
    freq: rule.freq === 'YEARLY' ? RRule.YEARLY : RRule.MONTHLY,
    bymonth: given(byMonth),
    bymonthday: given(byMonthDay),
    byyearday: given(byYearDay),
    // rrule would take the day of its dtstart, which moves here: so every day is said
    byweekday: open ? WEEKDAYS.map((_, index) => new Weekday(index)) : byDay.length === 0 ? null : byDay,
    byhour: [0],
    byminute: [0],
    bysecond: [0],
  };
}

/**
 * The days that BYMONTH, BYMONTHDAY, BYYEARDAY and BYDAY admit, from `first` to `last`, ascending, in days since
 * 1970-01-01. Neither INTERVAL nor BYWEEKNO is looked at: rrule hangs on some intervals and has the first days
 * of some years in the wrong week.
 */
export function* calendarDays(rule: RecurrenceRule, first: number, last: number): Generator<number> {
  const options = dayOptions(rule);
  let size = FIRST_CHUNK;
  let from = first;
  while (from <= last) {
    const shift = cycleShift(from);
    const dtstart = new Date((from + shift) * MILLISECONDS_PER_DAY);
    const days = firstDays({ ...options, dtstart }, size).map((day) => day - shift);
    yield* days.filter((day) => day <= last);
    from = (days.length < size ? LAST_DAY_OF_RRULE - shift : (days.at(-1) ?? last)) + 1;
    size = Math.min(size * 4, LARGEST_CHUNK);
  }
}

function firstDays(options: Partial<Options>, size: number): number[] {
  const days: number[] = [];
  new RRule(options, true).all((date) => days.push(date.getTime() / MILLISECONDS_PER_DAY) < size);
  return days;
}

/** First day of the week, starting on `weekStart`, that holds `day`. */
function weekStartOf(day: number, weekStart: number): number {
  return day - ((weekdayOfDays(day) - weekStart + 7) % 7);
}

/** First day of week 1 of a year: the week with at least four days in it, so the one of 4 January (ISO 8601). */
function firstWeekOf(year: number, weekStart: number): number {
  return weekStartOf(daysFromCivil({ year, month: 1, day: 4 }), weekStart);
}

/** A week belongs to the year that holds its fourth day. */
function weekYearOf(day: number, weekStart: number): number {
  return civilFromDays(weekStartOf(day, weekStart) + 3).year;
}

/** Whether BYWEEKNO admits a day; negative numbers count from the last week of the year. */
export function inWeekNo(rule: RecurrenceRule): (day: number) => boolean {
  const weekStart = WEEKDAYS.indexOf(rule.weekStart);
  return (day) => {
    if (rule.byWeekNo.length === 0) return true;
    const year = weekYearOf(day, weekStart);
    const fromFirst = Math.floor((day - firstWeekOf(year, weekStart)) / 7) + 1;
    const fromLast = Math.floor((day - firstWeekOf(year + 1, weekStart)) / 7);
    return rule.byWeekNo.includes(fromFirst) || rule.byWeekNo.includes(fromLast);
  };
}

/**
 * The number of the interval of FREQ that a day lies in: what INTERVAL counts and BYSETPOS picks from. Consecutive
 * intervals have consecutive numbers. With BYWEEKNO a year is made of its weeks, so it may begin in December.
 */
export function periodOf(rule: RecurrenceRule): (day: number) => number {
  const weekStart = WEEKDAYS.indexOf(rule.weekStart);
  switch (rule.freq) {
    case 'YEARLY':
      return rule.byWeekNo.length > 0
        ? (day) => weekYearOf(day, weekStart)
        : (day) => civilFromDays(day).year;
    case 'MONTHLY':
      return (day) => civilFromDays(day).year * 12 + civilFromDays(day).month;
    case 'WEEKLY':
      return (day) => Math.floor(weekStartOf(day, weekStart) / 7);
    case 'DAILY':
    case 'HOURLY':
      return (day) => day;
  }
}

/** The most days by which a period can begin before a day in it. */
export function longestPeriod(rule: RecurrenceRule): number {
  switch (rule.freq) {
    case 'YEARLY':
      return 371;
    case 'MONTHLY':
      return 31;
    case 'WEEKLY':
      return 7;
    case 'DAILY':
    case 'HOURLY':
      return 1;
  }
}

import { civilFromDays, daysFromCivil, weekdayOfDays } from '../../domain/recurrence/civil-time.ts';
import { WEEKDAYS } from '../../domain/recurrence/recurrence-rule.ts';
import type { RecurrenceRule } from '../../domain/recurrence/recurrence-rule.ts';

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

import type { RecurrenceRule } from '../../../domain/recurrence/recurrence-rule.ts';

/**
 * A second evaluator, day by day from the definitions of RFC 5545 with the calendar of the language: slow, simple
 * and independent of the one it checks. Local times only, in seconds as if the clock were UTC.
 */
const DAY = 86_400;
const NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const date = (day: number): Date => new Date(day * DAY * 1000);
const year = (day: number): number => date(day).getUTCFullYear();
const month = (day: number): number => date(day).getUTCMonth() + 1;
const name = (day: number): string => NAMES[date(day).getUTCDay()] ?? '';
const firstOfMonth = (day: number): number => Date.UTC(year(day), month(day) - 1, 1) / 1000 / DAY;
const firstOfNextMonth = (day: number): number => Date.UTC(year(day), month(day), 1) / 1000 / DAY;
const firstOfYear = (y: number): number => Date.UTC(y, 0, 1) / 1000 / DAY;

/** Whether `day` is the n-th, or the n-th last, among the days from `first` to before `end`. */
function isNth(day: number, n: number, first: number, end: number, step: number): boolean {
  const position = n > 0 ? Math.floor((day - first) / step) + 1 : -(Math.floor((end - 1 - day) / step) + 1);
  return position === n;
}

function firstOfWeek(day: number, rule: RecurrenceRule): number {
  let first = day;
  while (name(first) !== rule.weekStart) first -= 1;
  return first;
}

const weekYear = (day: number, rule: RecurrenceRule): number => year(firstOfWeek(day, rule) + 3);

function weekNumbers(day: number, rule: RecurrenceRule): number[] {
  const week = firstOfWeek(day, rule);
  const weeks: number[] = [];
  const wanted = weekYear(day, rule);
  for (let w = week - 7 * 54; w <= week + 7 * 54; w += 7) if (weekYear(w, rule) === wanted) weeks.push(w);
  const index = weeks.indexOf(week);
  return [index + 1, index - weeks.length];
}

function matchesByDay(day: number, rule: RecurrenceRule): boolean {
  const inYear = rule.freq === 'YEARLY' && rule.byMonth.length === 0;
  const first = inYear ? firstOfYear(year(day)) : firstOfMonth(day);
  const end = inYear ? firstOfYear(year(day) + 1) : firstOfNextMonth(day);
  return rule.byDay.some(
    (item) => item.weekday === name(day) && (item.ordinal === 0 || isNth(day, item.ordinal, first, end, 7)),
  );
}

function matchesDay(day: number, rule: RecurrenceRule): boolean {
  const yearEnds = [firstOfYear(year(day)), firstOfYear(year(day) + 1)] as const;
  return (
    (rule.byMonth.length === 0 || rule.byMonth.includes(month(day))) &&
    (rule.byMonthDay.length === 0 ||
      rule.byMonthDay.some((n) => isNth(day, n, firstOfMonth(day), firstOfNextMonth(day), 1))) &&
    (rule.byYearDay.length === 0 || rule.byYearDay.some((n) => isNth(day, n, ...yearEnds, 1))) &&
    (rule.byWeekNo.length === 0 || weekNumbers(day, rule).some((n) => rule.byWeekNo.includes(n))) &&
    (rule.byDay.length === 0 || matchesByDay(day, rule))
  );
}

/** What the start decides where the rule does not. */
function matchesStart(day: number, startDay: number, rule: RecurrenceRule): boolean {
  if ([rule.byMonthDay, rule.byYearDay, rule.byDay].some((list) => list.length > 0)) return true;
  const sameDate = date(day).getUTCDate() === date(startDay).getUTCDate();
  if (rule.freq === 'WEEKLY' || rule.byWeekNo.length > 0) return name(day) === name(startDay);
  if (rule.freq === 'MONTHLY') return sameDate;
  if (rule.freq !== 'YEARLY') return true;
  return sameDate && (rule.byMonth.length > 0 || month(day) === month(startDay));
}

function periodOf(day: number, hour: number, rule: RecurrenceRule): number {
  switch (rule.freq) {
    case 'YEARLY':
      return rule.byWeekNo.length > 0 ? weekYear(day, rule) : year(day);
    case 'MONTHLY':
      return year(day) * 12 + month(day);
    case 'WEEKLY':
      return Math.floor((firstOfWeek(day, rule) - firstOfWeek(0, rule)) / 7);
    case 'DAILY':
      return day;
    case 'HOURLY':
      return day * 24 + hour;
  }
}

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** All local times from `start` to `end` (exclusive) that a rule without COUNT and UNTIL yields. */
export function bruteForce(rule: RecurrenceRule, start: number, end: number): number[] {
  const startDay = Math.floor(start / DAY);
  const time = start - startDay * DAY;
  const orStart = (list: readonly number[], value: number): readonly number[] =>
    list.length > 0 ? list : [value];
  const hours = rule.freq === 'HOURLY' ? range(24) : orStart(rule.byHour, Math.floor(time / 3600));
  const minutes = orStart(rule.byMinute, Math.floor(time / 60) % 60);
  const seconds = orStart(rule.bySecond, time % 60);
  const origin = periodOf(startDay, Math.floor(time / 3600), rule);
  // BYSETPOS picks from whole periods
  const margin = rule.freq === 'YEARLY' ? 400 : 40;
  const periods = new Map<number, number[]>();
  for (let day = startDay - margin; day * DAY < end + margin * DAY; day += 1) {
    if (!matchesStart(day, startDay, rule) || !matchesDay(day, rule)) continue;
    for (const hour of hours) {
      const period = periodOf(day, hour, rule);
      if ((period - origin) % rule.interval !== 0) continue;
      if (rule.byHour.length > 0 && !rule.byHour.includes(hour)) continue;
      const times = periods.get(period) ?? [];
      for (const minute of minutes) {
        for (const second of seconds) times.push(day * DAY + hour * 3600 + minute * 60 + second);
      }
      periods.set(period, times);
    }
  }
  const picked = [...periods.values()].flatMap((times) =>
    times.filter(
      (_, index) =>
        rule.bySetPos.length === 0 ||
        rule.bySetPos.includes(index + 1) ||
        rule.bySetPos.includes(index - times.length),
    ),
  );
  return picked.filter((local) => local >= start && local < end).toSorted((a, b) => a - b);
}

import { SECONDS_PER_DAY, civilFromDays, weekdayOfDays } from '../../domain/shared/civil-time.ts';
import { type RecurrenceRule, WEEKDAYS } from '../../domain/recurrence/recurrence-rule.ts';
import { calendarDays, inWeekNo, longestPeriod, periodOf } from './calendar-days.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * The local times that a rule yields, ascending, in seconds of the local clock: COUNT and UNTIL, which speak of
 * instants, are not looked at. `start` is the rule's start; times before `from` (>= start) are left out, at next
 * to no cost, and so are those after `to`.
 */
export function* localTimes(
  rule: RecurrenceRule,
  start: number,
  from: number,
  to: number,
): Generator<number> {
  const complete = completeRule(rule, start);
  const times = complete.freq === 'HOURLY' ? hourlyTimes(complete, start) : dailyTimes(complete);
  for (const days of daySets(complete, start, from, to)) {
    for (const time of times(days)) {
      if (time > to) return;
      if (time >= from) yield time;
    }
  }
}

/**
 * The rule with everything that it leaves to its start said (RFC 5545, 3.3.10: "FREQ=YEARLY;BYMONTH=1" has the
 * day and the time of DTSTART). After this the start matters as a lower bound and as the origin of INTERVAL only,
 * so the rule can be evaluated from any later day. `start` is in seconds of its local clock.
 */
function completeRule(rule: RecurrenceRule, start: number): RecurrenceRule {
  const time = ((start % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY;
  const or = (given: readonly number[], implied: number): readonly number[] =>
    given.length > 0 ? given : [implied];
  return {
    ...rule,
    ...impliedDays(rule, Math.floor(start / SECONDS_PER_DAY)),
    byHour: rule.freq === 'HOURLY' ? rule.byHour : or(rule.byHour, Math.floor(time / 3600)),
    byMinute: or(rule.byMinute, Math.floor(time / 60) % 60),
    bySecond: or(rule.bySecond, time % 60),
  };
}

function impliedDays(rule: RecurrenceRule, startDay: number): Partial<RecurrenceRule> {
  if (rule.byYearDay.length > 0 || rule.byMonthDay.length > 0 || rule.byDay.length > 0) return {};
  const { month, day } = civilFromDays(startDay);
  const sameWeekday = { byDay: [{ weekday: WEEKDAYS[weekdayOfDays(startDay)] ?? 'MO', ordinal: 0 }] };
  switch (rule.freq) {
    case 'YEARLY':
      if (rule.byWeekNo.length > 0) return sameWeekday;
      return { byMonth: rule.byMonth.length > 0 ? rule.byMonth : [month], byMonthDay: [day] };
    case 'MONTHLY':
      return { byMonthDay: [day] };
    case 'WEEKLY':
      return sameWeekday;
    case 'DAILY':
    case 'HOURLY':
      return {};
  }
}

/** Days in a period that INTERVAL admits: one set per period where BYSETPOS picks from it, else one per day. */
function* daySets(rule: RecurrenceRule, start: number, from: number, to: number): Generator<number[]> {
  const period = periodOf(rule);
  const admitted = inWeekNo(rule);
  const origin = period(Math.floor(start / SECONDS_PER_DAY));
  const whole = rule.bySetPos.length > 0 && rule.freq !== 'HOURLY';
  const first = Math.floor(from / SECONDS_PER_DAY) - (whole ? longestPeriod(rule) : 0);
  // the last period is read to its end, since BYSETPOS may count from there
  const last = Math.floor(to / SECONDS_PER_DAY) + (whole ? longestPeriod(rule) : 0);
  let set: number[] = [];
  for (const day of calendarDays(rule, first, last)) {
    if (!admitted(day) || (rule.freq !== 'HOURLY' && (period(day) - origin) % rule.interval !== 0)) continue;
    const before = set[0];
    if (before !== undefined && !(whole && period(before) === period(day))) {
      yield set;
      set = [];
    }
    set.push(day);
  }
  if (set.length > 0) yield set;
}

/** Offsets within an hour, in seconds. */
function timesOfHour(rule: RecurrenceRule): number[] {
  return rule.byMinute.flatMap((minute) => rule.bySecond.map((second) => minute * 60 + second));
}

function dailyTimes(rule: RecurrenceRule): (days: readonly number[]) => Generator<number> {
  const inHour = timesOfHour(rule);
  const inDay = rule.byHour.flatMap((hour) => inHour.map((offset) => hour * 3600 + offset));
  const at = (days: readonly number[], index: number): number =>
    (days[Math.floor(index / inDay.length)] ?? 0) * SECONDS_PER_DAY + (inDay[index % inDay.length] ?? 0);
  return function* (days) {
    for (const index of positions(rule, days.length * inDay.length)) yield at(days, index);
  };
}

/** HOURLY: INTERVAL counts hours of the local clock from the hour of the start. */
function hourlyTimes(rule: RecurrenceRule, start: number): (days: readonly number[]) => Generator<number> {
  const all = timesOfHour(rule);
  // every hour holds the same times, so BYSETPOS picks the same ones
  const inHour = Array.from(positions(rule, all.length), (index) => all[index] ?? 0);
  const origin = Math.floor(start / 3600);
  const hours = rule.byHour.length > 0 ? rule.byHour : HOURS;
  return function* (days) {
    for (const day of days) {
      for (const hour of hours) {
        const period = day * 24 + hour;
        if ((period - origin) % rule.interval !== 0) continue;
        for (const offset of inHour) yield period * 3600 + offset;
      }
    }
  };
}

/** The indexes that BYSETPOS picks out of `size` ascending items; all of them without BYSETPOS. */
function* positions(rule: RecurrenceRule, size: number): Generator<number> {
  if (rule.bySetPos.length === 0) {
    for (let index = 0; index < size; index += 1) yield index;
    return;
  }
  const picked = rule.bySetPos.map((position) => (position > 0 ? position - 1 : size + position));
  const within = picked.filter((index) => index >= 0 && index < size);
  yield* [...new Set(within)].toSorted((a, b) => a - b);
}

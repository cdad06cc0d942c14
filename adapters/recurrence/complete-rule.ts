import { civilFromDays, SECONDS_PER_DAY, weekdayOfDays } from '../../domain/recurrence/civil-time.ts';
import { WEEKDAYS } from '../../domain/recurrence/recurrence-rule.ts';
import type { RecurrenceRule } from '../../domain/recurrence/recurrence-rule.ts';

/**
 * The rule with everything that it leaves to its start said (RFC 5545, 3.3.10: "FREQ=YEARLY;BYMONTH=1" has the
 * day and the time of DTSTART). After this the start matters as a lower bound and as the origin of INTERVAL only,
 * so the rule can be evaluated from any later day. `start` is in seconds of its local clock.
 */
export function completeRule(rule: RecurrenceRule, start: number): RecurrenceRule {
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

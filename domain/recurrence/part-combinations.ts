import { refused } from './recurrence-rule.ts';
import type { RecurrenceRule, RefusedRecurrence } from './recurrence-rule.ts';

/**
 * The combinations that RFC 5545, 3.3.10 forbids, and ordinals of BYDAY that no month has. undefined where the
 * parts go together.
 */
export function refuseCombination(rule: RecurrenceRule): RefusedRecurrence | undefined {
  const { freq } = rule;
  if (rule.count !== undefined && rule.until !== undefined) {
    return refused('count_with_until', 'COUNT and UNTIL exclude each other: keep one of them.');
  }
  if (rule.byWeekNo.length > 0 && freq !== 'YEARLY') {
    return refused('part_not_allowed', `BYWEEKNO goes with FREQ=YEARLY only, not with ${freq}: remove it.`);
  }
  if (rule.byYearDay.length > 0 && freq !== 'YEARLY' && freq !== 'HOURLY') {
    return refused('part_not_allowed', `BYYEARDAY does not go with FREQ=${freq}: remove it or use YEARLY.`);
  }
  if (rule.byMonthDay.length > 0 && freq === 'WEEKLY') {
    return refused('part_not_allowed', 'BYMONTHDAY does not go with FREQ=WEEKLY: use MONTHLY.');
  }
  return refuseOrdinals(rule) ?? refuseLoneSetPos(rule);
}

function refuseOrdinals(rule: RecurrenceRule): RefusedRecurrence | undefined {
  const { freq, byDay } = rule;
  const largest = Math.max(0, ...byDay.map((day) => Math.abs(day.ordinal)));
  if (largest === 0) return undefined;
  if (freq !== 'MONTHLY' && freq !== 'YEARLY') {
    return refused(
      'part_not_allowed',
      `BYDAY has a numbered day, which goes with MONTHLY and YEARLY only, not with ${freq}: write MO, not 1MO.`,
    );
  }
  if (rule.byWeekNo.length > 0) {
    return refused('part_not_allowed', 'BYDAY has a numbered day beside BYWEEKNO: write MO, not 1MO.');
  }
  if (largest > 5 && (freq === 'MONTHLY' || rule.byMonth.length > 0)) {
    return refused(
      'value_out_of_range',
      `BYDAY asks for day number ${largest} of a month, which has at most 5: use 1 to 5 or -5 to -1.`,
    );
  }
  return undefined;
}

function refuseLoneSetPos(rule: RecurrenceRule): RefusedRecurrence | undefined {
  if (rule.bySetPos.length === 0) return undefined;
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay, byHour, byMinute, bySecond } = rule;
  const others = [byMonth, byWeekNo, byYearDay, byMonthDay, byDay, byHour, byMinute, bySecond];
  return others.some((list) => list.length > 0)
    ? undefined
    : refused('setpos_alone', 'BYSETPOS picks from what another BY part lists: add one, such as BYDAY.');
}

import { formatBasicDateTime } from '../../../domain/shared/civil-time.ts';
import type {
  RecurrenceRule,
  RecurrenceStart,
  WeekdayOrdinal,
} from '../../../domain/recurrence/recurrence-rule.ts';

function list(name: string, values: readonly (number | string)[]): string[] {
  return values.length === 0 ? [] : [`${name}=${values.join(',')}`];
}

function day({ weekday, ordinal }: WeekdayOrdinal): string {
  return ordinal === 0 ? weekday : `${ordinal}${weekday}`;
}

/**
 * The canonical RRULE value, without `RRULE:` and without DTSTART: parts in one order, lists ascending, defaults
 * left out. Reading it again gives an equal rule.
 */
export function formatRuleParts(rule: RecurrenceRule): string {
  return [
    `FREQ=${rule.freq}`,
    ...(rule.interval === 1 ? [] : [`INTERVAL=${rule.interval}`]),
    ...(rule.count === undefined ? [] : [`COUNT=${rule.count}`]),
    ...(rule.until === undefined ? [] : [`UNTIL=${formatBasicDateTime(rule.until)}Z`]),
    ...list('BYMONTH', rule.byMonth),
    ...list('BYWEEKNO', rule.byWeekNo),
    ...list('BYYEARDAY', rule.byYearDay),
    ...list('BYMONTHDAY', rule.byMonthDay),
    ...list('BYDAY', rule.byDay.map(day)),
    ...list('BYHOUR', rule.byHour),
    ...list('BYMINUTE', rule.byMinute),
    ...list('BYSECOND', rule.bySecond),
    ...list('BYSETPOS', rule.bySetPos),
    ...(rule.weekStart === 'MO' ? [] : [`WKST=${rule.weekStart}`]),
  ].join(';');
}

/** The canonical DTSTART line. */
function formatStart({ local, zone }: RecurrenceStart): string {
  return zone === 'UTC' ? `DTSTART:${local}Z` : `DTSTART;TZID=${zone}:${local}`;
}

/** The canonical text of the whole value: the RRULE value alone, or `DTSTART…` and `RRULE:…` on two lines. */
export function formatRecurrenceRule(rule: RecurrenceRule): string {
  const parts = formatRuleParts(rule);
  return rule.start === undefined ? parts : `${formatStart(rule.start)}\nRRULE:${parts}`;
}

import { formatBasicDateTime, parseBasicDateTime } from '../shared/civil-time.ts';
import {
  type Frequency,
  type NumberList,
  type RecurrenceRule,
  type RecurrenceStart,
  type RefusedRecurrence,
  WEEKDAYS,
  type Weekday,
  type WeekdayOrdinal,
  quoted,
  refused,
} from './recurrence-rule.ts';

/** The parts that have been parsed so far; the others get their defaults. */
export type RulePart = Partial<RecurrenceRule>;
type PartReader = (value: string, name: string) => RulePart | RefusedRecurrence;

const FREQUENCIES: readonly Frequency[] = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
/** Larger values are probably mistakes: 10,000 hours are over a year. RFC 5545 sets no limit. */
const MAX_INTERVAL = 10_000;
/**
 * Counting starts at the beginning of the rule, so it must be bounded: 10,000 days are 27 years. RFC 5545 sets no
 * limit.
 */
const MAX_COUNT = 10_000;

const readFrequency: PartReader = (value) => {
  if (value === 'SECONDLY' || value === 'MINUTELY') {
    return refused(
      'freq_too_frequent',
      `FREQ=${value} is too frequent: use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.`,
    );
  }
  const freq = FREQUENCIES.find((known) => known === value);
  return freq === undefined
    ? refused('freq_unknown', `FREQ is ${quoted(value)}: use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.`)
    : { freq };
};

function readWhole(value: string, name: string, max: number): number | RefusedRecurrence {
  const fix = `write a whole number from 1 to ${max}.`;
  if (!/^\d+$/.test(value)) return refused('value_malformed', `${name} is ${quoted(value)}: ${fix}`);
  const number = Number(value);
  return number >= 1 && number <= max
    ? number
    : refused('value_out_of_range', `${name} is ${quoted(value)}: ${fix}`);
}

const readInterval: PartReader = (value, name) => {
  const interval = readWhole(value, name, MAX_INTERVAL);
  return typeof interval === 'number' ? { interval } : interval;
};

const readCount: PartReader = (value, name) => {
  const count = readWhole(value, name, MAX_COUNT);
  return typeof count === 'number' ? { count } : count;
};

/** DTSTART is in UTC or in a time zone here, so UNTIL MUST be in UTC (RFC 5545, 3.3.10). */
const readUntil: PartReader = (value) => {
  const form = /^(\d{8})(T\d{6}(Z)?)?$/.exec(value);
  const fix = 'write a UTC date and time such as 20271231T235959Z.';
  if (form === null) return refused('value_malformed', `UNTIL is ${quoted(value)}: ${fix}`);
  if (form[3] === undefined) return refused('until_not_utc', `UNTIL is ${quoted(value)}, not in UTC: ${fix}`);
  const until = parseBasicDateTime(value.slice(0, -1));
  return until === undefined
    ? refused('value_out_of_range', `UNTIL is ${quoted(value)}, which is not a date and time: ${fix}`)
    : { until };
};

const readWeekStart: PartReader = (value) => {
  const weekStart = WEEKDAYS.find((known) => known === value);
  return weekStart === undefined
    ? refused('value_malformed', `WKST is ${quoted(value)}: use one of ${WEEKDAYS.join(', ')}.`)
    : { weekStart };
};

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/**
 * Creates a parser of a list of numbers from `min` to `max`; signed numbers also count from the end.
 *
 * @param replacement larger valid numbers are replaced by this one
 */
function readNumbers(
  field: NumberList,
  min: number,
  max: number,
  signed: boolean,
  replacement = max,
): PartReader {
  const item = signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/;
  const range = `${min} to ${max}${signed ? ` or -${max} to -${min}` : ''}`;
  return (value, name) => {
    const numbers: number[] = [];
    for (const text of value.split(',')) {
      const fix = `write whole numbers from ${range}, separated by commas.`;
      if (!item.test(text)) return refused('value_malformed', `${name} has ${quoted(text)}: ${fix}`);
      const number = Number(text);
      const size = signed ? Math.abs(number) : number;
      if (size < min || size > max)
        return refused('value_out_of_range', `${name} has ${quoted(text)}: ${fix}`);
      numbers.push(Math.min(number, replacement));
    }
    return { [field]: ascending(numbers) };
  };
}

const readDays: PartReader = (value) => {
  const days = new Map<string, WeekdayOrdinal>();
  for (const text of value.split(',')) {
    const form = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text);
    if (form === null) {
      return refused('value_malformed', `BYDAY has ${quoted(text)}: write days such as MO, 2TU or -1FR.`);
    }
    const ordinal = form[1] === undefined ? 0 : Number(form[1]);
    if (form[1] !== undefined && (ordinal === 0 || Math.abs(ordinal) > 53)) {
      return refused('value_out_of_range', `BYDAY has ${quoted(text)}: the number is 1 to 53 or -53 to -1.`);
    }
    const weekday = form[2] as Weekday;
    days.set(`${ordinal}${weekday}`, { weekday, ordinal });
  }
  const key = (day: WeekdayOrdinal): number => day.ordinal * 7 + WEEKDAYS.indexOf(day.weekday);
  return { byDay: [...days.values()].toSorted((a, b) => key(a) - key(b)) };
};

/** Every part of RFC 5545, 3.3.10, and no other. */
export const PART_READERS: ReadonlyMap<string, PartReader> = new Map([
  ['FREQ', readFrequency],
  ['INTERVAL', readInterval],
  ['COUNT', readCount],
  ['UNTIL', readUntil],
  ['BYMONTH', readNumbers('byMonth', 1, 12, false)],
  ['BYWEEKNO', readNumbers('byWeekNo', 1, 53, true)],
  ['BYYEARDAY', readNumbers('byYearDay', 1, 366, true)],
  ['BYMONTHDAY', readNumbers('byMonthDay', 1, 31, true)],
  ['BYDAY', readDays],
  ['BYHOUR', readNumbers('byHour', 0, 23, false)],
  ['BYMINUTE', readNumbers('byMinute', 0, 59, false)],
  // RFC 5545, 3.3.10: a leap second is only for implementations that support leap seconds.
  ['BYSECOND', readNumbers('bySecond', 0, 60, false, 59)],
  ['BYSETPOS', readNumbers('bySetPos', 1, 366, true)],
  ['WKST', readWeekStart],
]);

const FIX = 'write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.';
const FIRST_YEAR = '1970';
const LAST_YEAR = '2999';

/** Parses the rest of a `DTSTART` line: `:…Z` or `;TZID=zone:…` (RFC 5545, 3.8.2.4). */
export function parseStart(rest: string): RecurrenceStart | RefusedRecurrence {
  const form = /^((?:;[^;:=]+=(?:"[^"=]*"|[^;:"=]*))*):(\d{8}T\d{6})(Z)?$/i.exec(rest);
  if (form === null) return malformed(rest);
  const seconds = parseBasicDateTime(form[2]!.toUpperCase());
  if (seconds === undefined) return malformed(rest);
  const local = formatBasicDateTime(seconds);
  const year = local.slice(0, 4);
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    return refused('dtstart_out_of_range', `DTSTART is in ${year}: use ${FIRST_YEAR} to ${LAST_YEAR}.`);
  }
  const zone = parseZone(form[1]!, form[3] !== undefined);
  return typeof zone === 'string' ? { local, zone } : zone;
}

const malformed = (rest: string): RefusedRecurrence =>
  refused('dtstart_malformed', `DTSTART${rest.slice(0, 60)} is not a date and time: ${FIX}`);

function parseZone(parameters: string, utc: boolean): string | RefusedRecurrence {
  let tzid: string | undefined;
  for (const parameter of parameters.split(';').slice(1)) {
    const [name, value] = parameter.split('=') as [string, string];
    const isDateTime = name.toUpperCase() === 'VALUE' && value.toUpperCase() === 'DATE-TIME';
    if (name.toUpperCase() === 'TZID' && tzid === undefined) tzid = value.replaceAll('"', '');
    else if (!isDateTime) return refused('dtstart_malformed', `DTSTART has ${quoted(parameter)}: ${FIX}`);
  }
  if (tzid === undefined) {
    if (utc) return 'UTC';
    return refused('dtstart_without_zone', `DTSTART names no time zone: ${FIX}`);
  }
  // RFC 5545, 3.2.19: TZID MUST NOT be applied to a value in UTC
  if (utc) return refused('dtstart_malformed', `DTSTART has both TZID and Z: ${FIX}`);
  return (
    knownTimeZone(tzid) ??
    refused(
      'time_zone_unknown',
      `The time zone ${quoted(tzid)} is unknown: use a name such as Europe/Berlin or UTC.`,
    )
  );
}

/**
 * Returns the name of an IANA time zone in the form of this service; undefined when it is unknown. Names are
 * case-insensitive; aliases are kept, because the principal name of a zone changes between releases of the database.
 */
export function knownTimeZone(name: string): string | undefined {
  // Intl accepts offsets such as +05:30, but they are not time zones.
  if (!/[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}

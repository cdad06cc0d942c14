/**
 * A recurrence rule as this service accepts it: RFC 5545, 3.3.10 (RECUR) without SECONDLY and MINUTELY, and
 * optionally the DTSTART it counts from.
 */
export type Frequency = 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** Monday first: the index is the number of the weekday in `civil-time.ts`. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** One item of BYDAY: `ordinal` 0 is every such weekday, 2 the second one, -1 the last one. */
export interface WeekdayOrdinal {
  readonly weekday: Weekday;
  readonly ordinal: number;
}

/** DTSTART. `local` is `YYYYMMDDTHHMMSS` on the clock of `zone`: `UTC` or an IANA time zone name. */
export interface RecurrenceStart {
  readonly local: string;
  readonly zone: string;
}

/**
 * A parsed rule. Lists are sorted and without duplicates, and an empty list is a part that is absent, so equivalent
 * texts give equal values. Plain data that can be stored and sent between threads.
 */
export interface RecurrenceRule {
  readonly freq: Frequency;
  readonly interval: number;
  /** number of occurrences in all; never together with `until` */
  readonly count?: number;
  /** last instant at which it may fire, in seconds since 1970-01-01T00:00:00Z */
  readonly until?: number;
  readonly byMonth: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byMonthDay: readonly number[];
  readonly byDay: readonly WeekdayOrdinal[];
  readonly byHour: readonly number[];
  readonly byMinute: readonly number[];
  readonly bySecond: readonly number[];
  readonly bySetPos: readonly number[];
  readonly weekStart: Weekday;
  readonly start?: RecurrenceStart;
}

/** The parts of a rule that are lists of whole numbers. */
export type NumberList =
  | 'byMonth'
  | 'byWeekNo'
  | 'byYearDay'
  | 'byMonthDay'
  | 'byHour'
  | 'byMinute'
  | 'bySecond'
  | 'bySetPos';

export type RecurrenceRefusal =
  | 'empty'
  | 'too_long'
  | 'syntax'
  | 'unsupported_property'
  | 'repeated_property'
  | 'unknown_part'
  | 'repeated_part'
  | 'freq_missing'
  | 'freq_unknown'
  | 'freq_too_frequent'
  | 'value_malformed'
  | 'value_out_of_range'
  | 'count_with_until'
  | 'until_not_utc'
  | 'part_not_allowed'
  | 'setpos_alone'
  | 'dtstart_malformed'
  | 'dtstart_without_zone'
  | 'dtstart_out_of_range'
  | 'time_zone_unknown';

/** Why a rule is refused: a code for programs, and a message that tells the author what to do. */
export interface RefusedRecurrence {
  readonly ok: false;
  readonly reason: RecurrenceRefusal;
  readonly message: string;
}

export function refused(reason: RecurrenceRefusal, message: string): RefusedRecurrence {
  return { ok: false, reason, message };
}

/** Quotes a part of the input for a message, cut to 40 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

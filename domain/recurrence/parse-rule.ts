import {
  quoted,
  refused,
  type RecurrenceRule,
  type RecurrenceStart,
  type RefusedRecurrence,
} from './recurrence-rule.ts';
import { PART_READERS, type RulePart, parseStart } from './rule-parts.ts';

/**
 * Refuses combinations that RFC 5545, 3.3.10 forbids, and ordinals of BYDAY that no month has; undefined when the
 * parts are compatible.
 */
function refuseCombination(rule: RecurrenceRule): RefusedRecurrence | undefined {
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
    return refused('part_not_allowed', 'BYDAY has a numbered day together with BYWEEKNO: write MO, not 1MO.');
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

const MAX_RULE_LENGTH = 500;

export type ParsedRecurrence = { readonly ok: true; readonly rule: RecurrenceRule } | RefusedRecurrence;

/**
 * Parses a recurrence rule: `FREQ=…`, with or without the prefix `RRULE:`, and at most one DTSTART line. Strict:
 * refuses whatever RFC 5545, 3.3.10 does not allow, without guessing or dropping parts. Names and values are
 * case-insensitive, folded lines are joined. Never throws.
 */
export function parseRecurrenceRule(text: string): ParsedRecurrence {
  if (text.length > MAX_RULE_LENGTH) {
    return refused('too_long', `The rule has ${text.length} characters: write at most ${MAX_RULE_LENGTH}.`);
  }
  const unfolded = text.trim().replaceAll(/\r?\n[ \t]/g, '');
  if (unfolded === '') return refused('empty', 'The rule is empty: write one such as FREQ=DAILY;BYHOUR=3.');
  const lines = readLines(unfolded.split(/\r?\n/));
  if ('ok' in lines) return lines;
  const { parts, start } = lines;
  const rule = parseParts(parts);
  if ('ok' in rule) return rule;
  return refuseCombination(rule) ?? { ok: true, rule: start === undefined ? rule : { ...rule, start } };
}

interface RuleLines {
  readonly parts: string;
  readonly start: RecurrenceStart | undefined;
}

function readLines(lines: readonly string[]): RuleLines | RefusedRecurrence {
  let parts: string | undefined;
  let start: RecurrenceStart | undefined;
  for (const line of lines) {
    const property = /^([A-Za-z-]+)(?=[:;])/.exec(line)?.[1]?.toUpperCase() ?? '';
    if (property !== '' && property !== 'RRULE' && property !== 'DTSTART') {
      return refused(
        'unsupported_property',
        `${property} is not supported: write one RRULE, and DTSTART only.`,
      );
    }
    if (property === 'DTSTART') {
      if (start !== undefined) return refused('repeated_property', 'DTSTART is given twice: keep one.');
      const read = parseStart(line.slice(property.length));
      if ('ok' in read) return read;
      start = read;
    } else {
      if (property === '' && lines.length > 1) {
        return refused('syntax', `The line ${quoted(line)} has no name: write RRULE: before the rule.`);
      }
      if (parts !== undefined) return refused('repeated_property', 'There are two rules: keep one.');
      parts = line.replace(/^RRULE:/i, '');
    }
  }
  if (parts === undefined) return refused('freq_missing', 'There is no RRULE: add one such as FREQ=DAILY.');
  return { parts, start };
}

const DEFAULTS = {
  interval: 1,
  byMonth: [],
  byWeekNo: [],
  byYearDay: [],
  byMonthDay: [],
  byDay: [],
  byHour: [],
  byMinute: [],
  bySecond: [],
  bySetPos: [],
  weekStart: 'MO',
} as const satisfies RulePart;

function parseParts(text: string): RecurrenceRule | RefusedRecurrence {
  const seen = new Set<string>();
  let read: RulePart = {};
  for (const part of asciiUpperCase(text).split(';')) {
    const form = /^([A-Z-]+)=([^=]+)$/.exec(part);
    if (form === null) {
      return refused(
        'syntax',
        `The rule has ${quoted(part)}: write NAME=VALUE parts with one ; between them.`,
      );
    }
    const [name, value] = [form[1]!, form[2]!];
    const reader = PART_READERS.get(name);
    if (reader === undefined) {
      return refused('unknown_part', `${quoted(name)} is not a part of a rule: use ${knownNames()}.`);
    }
    if (seen.has(name)) return refused('repeated_part', `${name} is given twice: keep one.`);
    seen.add(name);
    const next = reader(value, name);
    if ('ok' in next) return next;
    read = { ...read, ...next };
  }
  const { freq } = read;
  if (freq === undefined) {
    return refused('freq_missing', 'FREQ is missing: add FREQ=HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.');
  }
  return { ...DEFAULTS, ...read, freq };
}

/** `toUpperCase` would also turn letters such as ſ into ASCII letters, and so accept invalid rules. */
function asciiUpperCase(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

function knownNames(): string {
  return [...PART_READERS.keys()].join(', ');
}

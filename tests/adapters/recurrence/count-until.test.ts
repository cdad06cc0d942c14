import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../adapters/recurrence/evaluate.ts';
import { formatBasicDateTime } from '../../../domain/shared/civil-time.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import { FREQUENCIES, ruleText } from '../../domain/recurrence/rule-arbitrary.ts';

const second = (iso: string): number => Date.parse(iso) / 1000;

function occurrences(rule: string, start: string, after: string): string[] {
  const parsed = parseRecurrenceRule(`DTSTART:${start}Z\nRRULE:FREQ=${rule}`);
  if (!parsed.ok || parsed.rule.start === undefined) throw new Error(rule);
  const query = {
    rule: parsed.rule,
    start: parsed.rule.start,
    after: second(after),
    before: Infinity,
    limit: 5,
  };
  return evaluate(query).map((at) => new Date(at * 1000).toISOString().slice(0, 16));
}

const table: readonly (readonly [rule: string, start: string, after: string, expected: readonly string[]])[] =
  [
    ['DAILY;UNTIL=20260103T090000Z', '20260101T090000', '2026-01-03T09:00Z', []],
    ['DAILY;UNTIL=20251231T090000Z', '20260101T090000', '2025-01-01T00:00Z', []],
    // COUNT counts from the start, wherever the question begins
    ['DAILY;COUNT=3', '20260101T090000', '2026-01-02T09:00Z', ['2026-01-03T09:00']],
    ['DAILY;COUNT=3', '20260101T090000', '2026-01-03T09:00Z', []],
    ['DAILY;COUNT=3', '20260101T090000', '2030-01-01T00:00Z', []],
    ['DAILY;COUNT=9000', '20010911T000000', '2026-04-30T00:00Z', ['2026-05-01T00:00', '2026-05-02T00:00']],
    // a start that does not match is no occurrence and is not counted
    [
      'WEEKLY;BYDAY=MO;COUNT=2',
      '20260101T090000',
      '2026-01-01T00:00Z',
      ['2026-01-05T09:00', '2026-01-12T09:00'],
    ],
    ['DAILY;BYHOUR=3;COUNT=1', '20260101T090000', '2026-01-01T00:00Z', ['2026-01-02T03:00']],
    [
      'MONTHLY;BYMONTHDAY=31;COUNT=3',
      '20260131T000000',
      '2026-02-01T00:00Z',
      ['2026-03-31T00:00', '2026-05-31T00:00'],
    ],
    // an occurrence at the instant asked after is past, and a start far ahead is waited for
    ['HOURLY;COUNT=2', '20260101T090000', '2026-01-01T09:00Z', ['2026-01-01T10:00']],
    ['YEARLY;COUNT=1', '22000101T000000', '2026-01-01T00:00Z', ['2200-01-01T00:00']],
  ];

describe('COUNT and UNTIL', { timeout: 60_000 }, () => {
  it.each(table)('FREQ=%s from %s, asked after %s', (rule, start, after, expected) => {
    expect(occurrences(rule, start, after)).toEqual(expected);
  });

  it('cut the occurrences of the rule without them, and nothing else', () => {
    const rules = fc.constantFrom(...FREQUENCIES).chain(ruleText);
    const from = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(rules, from, fc.integer({ min: 1, max: 40 }), (text, start, count) => {
        const zone = 'Europe/Berlin';
        const at = { local: formatBasicDateTime(start), zone };
        const find = (rule: string): number[] => {
          const parsed = parseRecurrenceRule(rule);
          if (!parsed.ok) throw new Error(rule);
          return evaluate({
            rule: parsed.rule,
            start: at,
            after: start - 100_000,
            before: start + 9e8,
            limit: 50,
          });
        };
        const all = find(text);
        const last = all[count - 1] ?? start + 9e8;
        expect(find(`${text};COUNT=${count}`)).toEqual(all.slice(0, count));
        expect(find(`${text};UNTIL=${formatBasicDateTime(last)}Z`)).toEqual(all.slice(0, count));
      }),
      { numRuns: 100 },
    );
  });
});

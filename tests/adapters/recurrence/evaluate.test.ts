import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../adapters/recurrence/evaluate.ts';
import { formatBasicDateTime } from '../../../domain/shared/civil-time.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRule } from '../../../domain/recurrence/recurrence-rule.ts';
import { FREQUENCIES, ruleText, withSetPos } from '../../domain/recurrence/rule-arbitrary.ts';
import { bruteForce } from './brute-force.ts';

const DAY = 86_400;

function parsed(text: string): RecurrenceRule {
  const result = parseRecurrenceRule(text);
  if (!result.ok) throw new Error(`${text}: ${result.message}`);
  return result.rule;
}

/** Occurrences in UTC within [after + 1, before). */
function occurrences(text: string, start: number, after: number, before: number): number[] {
  const at = { local: formatBasicDateTime(start), zone: 'UTC' };
  return evaluate({ rule: parsed(text), start: at, after, before, limit: 1_000_000 });
}

const starts = fc.integer({ min: 0, max: 4_102_444_800 });
/** Days of a rule of each frequency that hold some occurrences and cost the brute force little. */
const spans = { HOURLY: 100, DAILY: 120, WEEKLY: 200, MONTHLY: 500, YEARLY: 1600 } as const;

describe.each(FREQUENCIES)('evaluation of %s rules', { timeout: 60_000 }, (freq) => {
  const span = spans[freq] * DAY;
  const rules = fc.oneof(ruleText(freq), withSetPos(ruleText(freq)));

  it('agrees with a brute-force evaluation', () => {
    let found = 0;
    fc.assert(
      fc.property(rules, starts, (text, start) => {
        const expected = bruteForce(parsed(text), start, start + span);
        found += expected.length > 0 ? 1 : 0;
        expect(occurrences(text, start, start - 1, start + span)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
    // enough rules must fire, or the agreement says little
    expect(found).toBeGreaterThan(60);
  });

  it('gives the same whether it begins at the start or years later', () => {
    fc.assert(
      fc.property(rules, starts, fc.nat({ max: 3 * 366 * DAY }), (text, start, gone) => {
        const after = start + gone;
        const all = occurrences(text, start, start - 1, after + span);
        expect(occurrences(text, start, after, after + span)).toEqual(all.filter((at) => at > after));
      }),
      { numRuns: 60 },
    );
  });
});

it('goes on past the year in which rrule ends', () => {
  const start = { local: '19720229T000000', zone: 'UTC' };
  const rule = parsed('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29');
  const after = Date.UTC(9990, 0) / 1000;
  const found = evaluate({ rule, start, after, before: Infinity, limit: 4 });
  expect(found.map((at) => new Date(at * 1000).getUTCFullYear())).toEqual([9992, 9996, 10_000, 10_004]);
});

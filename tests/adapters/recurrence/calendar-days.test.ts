// oxlint-disable-next-line import/default -- a CommonJS module whose types claim otherwise
import rrule from 'rrule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../adapters/recurrence/evaluate.ts';
import { formatBasicDateTime } from '../../../domain/shared/civil-time.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRule } from '../../../domain/recurrence/recurrence-rule.ts';

const DAY = 86_400;

function parsed(text: string): RecurrenceRule {
  const result = parseRecurrenceRule(text);
  if (!result.ok) throw new Error(`${text}: ${result.message}`);
  return result.rule;
}

/** rrule as it is, from the start of the rule on. */
function naive(text: string, start: number, before: number): number[] {
  const options = rrule.RRule.parseString(text);
  const rule = new rrule.RRule({ ...options, dtstart: new Date(start * 1000) });
  return rule
    .between(new Date(start * 1000), new Date(before * 1000 - 1), true)
    .map((at) => at.getTime() / 1000);
}

/** Rules that rrule itself evaluates rightly and soon. */
const plain = fc
  .tuple(
    fc.constantFrom(
      'HOURLY',
      'HOURLY;INTERVAL=7',
      'DAILY;INTERVAL=3',
      'DAILY;BYDAY=MO,TH',
      'DAILY;BYMONTH=1,2,7',
      'WEEKLY;INTERVAL=2',
      'WEEKLY;INTERVAL=3;BYDAY=TU,SA;WKST=SU',
      'WEEKLY;BYDAY=MO,SU;WKST=TH',
      'MONTHLY',
      'MONTHLY;BYMONTHDAY=1,15,31,-1',
      'MONTHLY;INTERVAL=5;BYDAY=2TU,-1FR',
      'YEARLY;BYMONTH=1,6',
      'YEARLY;BYMONTH=2;BYMONTHDAY=29',
      'YEARLY;BYDAY=20MO,-2SU',
      'YEARLY;INTERVAL=2;BYMONTH=3,10;BYDAY=-1SU',
      'YEARLY;BYYEARDAY=1,100,-1,366',
      'YEARLY;BYWEEKNO=20;BYDAY=MO',
    ),
    fc.constantFrom('', ';BYMINUTE=5,35', ';BYSECOND=30'),
  )
  .map(([rule, times]) => `FREQ=${rule}${times}`);

describe('days read from rrule', { timeout: 60_000 }, () => {
  it('give the occurrences that rrule alone gives, where rrule alone is right', () => {
    fc.assert(
      fc.property(
        plain,
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.nat({ max: 900 * DAY }),
        (text, start, span) => {
          const at = { local: formatBasicDateTime(start), zone: 'UTC' };
          const before = start + span;
          const found = evaluate({ rule: parsed(text), start: at, after: start - 1, before, limit: 100_000 });
          expect(found).toEqual(naive(text, start, before));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('go on past the year in which rrule ends', () => {
    const start = { local: '19720229T000000', zone: 'UTC' };
    const rule = parsed('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29');
    const after = Date.UTC(9990, 0) / 1000;
    const found = evaluate({ rule, start, after, before: Infinity, limit: 4 });
    expect(found.map((at) => new Date(at * 1000).getUTCFullYear())).toEqual([9992, 9996, 10_000, 10_004]);
  });
});

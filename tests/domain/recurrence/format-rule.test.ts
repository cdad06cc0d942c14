import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRecurrenceRule, formatRuleParts } from './format-rule.ts';
import { MAX_RULE_LENGTH, parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRule } from '../../../domain/recurrence/recurrence-rule.ts';
import { anyRuleText } from './rule-arbitrary.ts';

function parsed(text: string): RecurrenceRule {
  const result = parseRecurrenceRule(text);
  if (!result.ok) throw new Error(`${text}: ${result.message}`);
  return result.rule;
}

const end = fc.constantFrom('', ';COUNT=12', ';COUNT=0007', ';UNTIL=20271231T235960Z');
const start = fc.constantFrom(
  '',
  'DTSTART:20260101T090000Z\n',
  'DTSTART;TZID=america/new_york:20260101T090060\r\n',
  'DTSTART;VALUE=DATE-TIME;TZID="Europe/Berlin":20260101T090000\n',
  'dtstart;tzid=utc:20260101t090000\n',
);
const texts = fc.tuple(start, anyRuleText, end, fc.boolean()).map(([dtstart, rule, last, lower]) => {
  const line = `${dtstart === '' ? '' : 'RRULE:'}${rule}${last}`;
  return dtstart + (lower ? line.toLowerCase() : line);
});

describe('canonical form of a recurrence rule', { timeout: 60_000 }, () => {
  it('reads back as an equal rule, and is written the same again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rule = parsed(text);
        const canonical = formatRecurrenceRule(rule);
        expect(parsed(canonical)).toEqual(rule);
        expect(formatRecurrenceRule(parsed(canonical))).toBe(canonical);
        expect(canonical.length).toBeLessThanOrEqual(Math.min(text.length, MAX_RULE_LENGTH));
      }),
      { numRuns: 1000 },
    );
  });

  it('does not depend on the order of parts and items, nor on case', () => {
    fc.assert(
      fc.property(anyRuleText, fc.boolean(), (text, lower) => {
        const turned = text
          .split(';')
          .toReversed()
          .map((part) => {
            const [name = '', value = ''] = part.split('=');
            return `${name}=${value.split(',').toReversed().join(',')}`;
          })
          .join(';');
        expect(parsed(lower ? turned.toLowerCase() : turned)).toEqual(parsed(text));
      }),
    );
  });

  it.each([
    ['freq=daily;interval=1;byhour=09,3,3;wkst=mo', 'FREQ=DAILY;BYHOUR=3,9'],
    ['RRULE:BYDAY=FR,+1MO,-1SU;FREQ=MONTHLY', 'FREQ=MONTHLY;BYDAY=-1SU,FR,1MO'],
    ['FREQ=DAILY;BYSECOND=60,59;UNTIL=20270101T000000Z', 'FREQ=DAILY;UNTIL=20270101T000000Z;BYSECOND=59'],
    [' FREQ=WEEKLY;WKST=SU;COUNT=010 \n', 'FREQ=WEEKLY;COUNT=10;WKST=SU'],
    ['FREQ=YEARLY;BYSETPOS=-1,+1;BYWEEKNO=-1,1,+1', 'FREQ=YEARLY;BYWEEKNO=-1,1;BYSETPOS=-1,1'],
    ['FREQ=DAILY;BYM\r\n ONTH=1', 'FREQ=DAILY;BYMONTH=1'],
  ])('writes %j as %j', (text, canonical) => {
    expect(formatRuleParts(parsed(text))).toBe(canonical);
  });
});

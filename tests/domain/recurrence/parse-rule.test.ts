import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRefusal } from '../../../domain/recurrence/recurrence-rule.ts';
import { parseStart } from '../../../domain/recurrence/rule-parts.ts';
import { anyRuleText } from './rule-arbitrary.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Texts with blanks or line breaks, and such as are empty. */
const refusals: readonly (readonly [RecurrenceRefusal, readonly string[]])[] = [
  ['empty', ['', ' \n ']],
  ['too_long', [`FREQ=DAILY;BYHOUR=${'1,'.repeat(250)}1`, ' '.repeat(501)]],
  ['syntax', ['FREQ=DAILY INTERVAL=2', 'every day', 'FREQ = DAILY', 'DTSTART:20260101T090000Z\nFREQ=DAILY']],
  ['freq_unknown', ['FREQ= DAILY']],
  ['until_not_utc', ['DTSTART;TZID=Europe/Berlin:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20270101T000000']],
  [
    'unsupported_property',
    ['RDATE:20260101T000000Z\nRRULE:FREQ=DAILY', 'RRULE:FREQ=DAILY\nEXDATE:20260101T000000Z'],
  ],
  [
    'repeated_property',
    [
      'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY',
      'DTSTART:20260101T000000Z\nDTSTART:20260101T000000Z\nRRULE:FREQ=DAILY',
    ],
  ],
];
/** All others, by what they are refused as. */
const PLAIN: Partial<Record<RecurrenceRefusal, string>> = {
  freq_missing: `INTERVAL=2 COUNT=3 DTSTART:20260101T090000Z`,
  freq_unknown: `FREQ=FORTNIGHTLY FREQ=DAILYX FREQ=0 FREQ=DAıLY FREQ=RRULE:DAILY`,
  freq_too_frequent: `FREQ=SECONDLY FREQ=MINUTELY freq=secondly;interval=3600`,
  repeated_part: `FREQ=DAILY;FREQ=WEEKLY FREQ=DAILY;BYHOUR=1;BYHOUR=2 FREQ=DAILY;freq=DAILY`,
  unknown_part: `FREQ=YEARLY;BYEASTER=0 FREQ=DAILY;FOO=1 FREQ=DAILY;TZID=UTC FREQ=DAILY;BYWEEKDAY=MO
    FREQ=DAILY;DTSTART=20260101T000000Z FREQ=DAILY;X-NAME=1 FREQ=DAILY;RSCALE=GREGORIAN`,
  syntax: `FREQ=DAILY; ;FREQ=DAILY FREQ=DAILY;;COUNT=1 FREQ FREQ= FREQ=DAILY;INTERVAL FREQ=DAILY=WEEKLY RRULE:
    FREQ=DAILY;ſ=1`,
  value_malformed: `FREQ=DAILY;INTERVAL=1.5 FREQ=DAILY;INTERVAL=-1 FREQ=DAILY;INTERVAL=+1 FREQ=DAILY;INTERVAL=1e3
    FREQ=MONTHLY;BYMONTHDAY=X1 FREQ=MONTHLY;BYMONTHDAY=1X FREQ=DAILY;BYMINUTE=-1 FREQ=DAILY;BYSECOND=-1
    FREQ=WEEKLY;BYDAY=XMO FREQ=DAILY;UNTIL=120270101T000000Z FREQ=DAILY;COUNT=-5 FREQ=DAILY;COUNT=ten
    FREQ=DAILY;COUNT=1,2 FREQ=DAILY;BYHOUR=abc FREQ=DAILY;BYHOUR=-1 FREQ=DAILY;BYHOUR=+1 FREQ=DAILY;BYHOUR=1,
    FREQ=DAILY;BYHOUR=,1 FREQ=DAILY;BYHOUR=003 FREQ=DAILY;BYMONTH=JAN FREQ=DAILY;BYMONTH=-1
    FREQ=DAILY;BYMONTH=5L FREQ=WEEKLY;BYDAY=XX FREQ=WEEKLY;BYDAY=MO, FREQ=WEEKLY;BYDAY=MON FREQ=WEEKLY;BYDAY=1
    FREQ=WEEKLY;WKST=XX FREQ=DAILY;UNTIL=never FREQ=DAILY;UNTIL=2027-01-01 FREQ=DAILY;UNTIL=20270101Z
    FREQ=DAILY;UNTIL=20270101T00Z`,
  value_out_of_range: `FREQ=DAILY;INTERVAL=0 FREQ=DAILY;INTERVAL=99999999999 FREQ=DAILY;INTERVAL=10001 FREQ=DAILY;COUNT=0
    FREQ=DAILY;COUNT=10001 FREQ=DAILY;BYHOUR=25 FREQ=DAILY;BYHOUR=24 FREQ=DAILY;BYMINUTE=60
    FREQ=DAILY;BYSECOND=61 FREQ=DAILY;BYMONTH=0 FREQ=DAILY;BYMONTH=13 FREQ=MONTHLY;BYMONTHDAY=32
    FREQ=MONTHLY;BYMONTHDAY=0 FREQ=MONTHLY;BYMONTHDAY=-32 FREQ=YEARLY;BYWEEKNO=99 FREQ=YEARLY;BYWEEKNO=0
    FREQ=YEARLY;BYYEARDAY=367 FREQ=YEARLY;BYYEARDAY=0 FREQ=DAILY;BYDAY=MO;BYSETPOS=0
    FREQ=DAILY;BYDAY=MO;BYSETPOS=-367 FREQ=MONTHLY;BYDAY=0MO FREQ=YEARLY;BYDAY=54MO FREQ=MONTHLY;BYDAY=6MO
    FREQ=YEARLY;BYMONTH=1;BYDAY=-6MO FREQ=DAILY;UNTIL=20270230T000000Z FREQ=DAILY;UNTIL=20270101T250000Z`,
  until_not_utc: `FREQ=DAILY;UNTIL=20270101 FREQ=DAILY;UNTIL=20270101T000000`,
  count_with_until: `FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z`,
  part_not_allowed: `FREQ=WEEKLY;BYDAY=2MO FREQ=DAILY;BYDAY=-1MO FREQ=HOURLY;BYDAY=1MO FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO
    FREQ=MONTHLY;BYWEEKNO=1 FREQ=WEEKLY;BYWEEKNO=1 FREQ=DAILY;BYWEEKNO=1 FREQ=HOURLY;BYWEEKNO=1
    FREQ=MONTHLY;BYYEARDAY=1 FREQ=WEEKLY;BYYEARDAY=1 FREQ=DAILY;BYYEARDAY=1 FREQ=WEEKLY;BYMONTHDAY=1`,
  setpos_alone: `FREQ=MONTHLY;BYSETPOS=1 FREQ=MONTHLY;BYSETPOS=1;INTERVAL=2;WKST=SU`,
  unsupported_property: `EXRULE:FREQ=DAILY SUMMARY:x`,
};

describe('parsing a recurrence rule', { timeout: 60_000 }, () => {
  const plain = Object.entries(PLAIN).map(([reason, texts]) => [reason, texts.split(/\s+/)] as const);

  it.each([...refusals, ...plain].flatMap(([reason, texts]) => texts.map((text) => [reason, text] as const)))(
    'refuses as %s: %j',
    (reason, text) => {
      const result = parseRecurrenceRule(text);
      expect(result).toMatchObject({ ok: false, reason });
      expect(result.ok ? '' : result.message).toMatch(/^[A-Z"].{20,}\.$/s);
    },
  );

  it.each(['\n ', '\n\t', '\r\n '])('joins lines that were folded with %j', (fold) => {
    expect(parseRecurrenceRule(`RRULE:FREQ=DAI${fold}LY`)).toMatchObject({ ok: true });
  });

  it('answers any text without throwing', () => {
    const pieces = fc.constantFrom(
      'FREQ=',
      'DAILY',
      ';',
      ':',
      '=',
      'RRULE',
      'DTSTART',
      'TZID=',
      '1',
      '-',
      ',',
      '\n',
      ' ',
      'Z',
      'BYDAY=',
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(pieces).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(parseRecurrenceRule(value).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 500 },
    );
  });
});

const starts: readonly (readonly [RecurrenceRefusal, readonly string[]])[] = [
  [
    'dtstart_malformed',
    [':20260101', ':2026-01-01T00:00:00Z', ':20260230T000000Z', ':20260101T250000Z', ':', ';TZID=UTC'],
  ],
  [
    'dtstart_malformed',
    [';TZID=Europe/Berlin:20260101T000000Z', ';VALUE=DATE:20260101T000000Z', ';X=1:20260101T000000Z'],
  ],
  ['dtstart_malformed', [';TZID=UTC;TZID=UTC:20260101T000000', ';X=DATE-TIME:20260101T000000Z']],
  ['dtstart_malformed', [';X:20260101T000000Z', ':20260101T000000ZZ', ':20260101T000000Zone']],
  ['dtstart_malformed', [';TZID=UTC=1:20260101T000000', ';TZID="UTC=1":20260101T000000']],
  ['dtstart_without_zone', [':20260101T000000', ';VALUE=DATE-TIME:20260101T000000']],
  ['dtstart_out_of_range', [':19691231T235959Z', ':30000101T000000Z', ':00010101T000000Z']],
  [
    'time_zone_unknown',
    [
      ';TZID=Mars/Olympus:20260101T000000',
      ';TZID=+0530:20260101T000000',
      ';TZID=:20260101T000000',
      ';TZID=/Europe/Berlin:20260101T000000',
    ],
  ],
];

describe('start of a recurrence rule', () => {
  it.each(starts.flatMap(([reason, texts]) => texts.map((text) => [reason, text] as const)))(
    'refuses as %s: DTSTART%s',
    (reason, text) => {
      expect(parseRecurrenceRule(`DTSTART${text}\nRRULE:FREQ=DAILY`)).toMatchObject({ ok: false, reason });
    },
  );

  it.each([
    [':20260101T090000Z', '20260101T090000', 'UTC'],
    [';VALUE=DATE-TIME:20260101T090000Z', '20260101T090000', 'UTC'],
    [';TZID="europe/berlin";VALUE=DATE-TIME:20260101T090000', '20260101T090000', 'Europe/Berlin'],
    [':19700101T000000Z', '19700101T000000', 'UTC'],
    [':29991231T235959Z', '29991231T235959', 'UTC'],
  ])('reads DTSTART%s as %s in %s', (text, local, zone) => {
    expect(parseStart(text)).toEqual({ local, zone });
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
        const given = lower ? turned.toLowerCase() : turned;
        expect(parseRecurrenceRule(given)).toEqual(parseRecurrenceRule(text));
      }),
    );
  });

  it('keeps an alias of a time zone as it was written', () => {
    const start = parseStart(';TZID=US/Eastern:20260101T090000');
    expect(start).toEqual({ local: '20260101T090000', zone: 'US/Eastern' });
  });
});

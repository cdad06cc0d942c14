import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRefusal } from '../../../domain/recurrence/recurrence-rule.ts';
import { parseStart } from '../../../domain/recurrence/rule-parts.ts';

const refusals: readonly (readonly [RecurrenceRefusal, readonly string[]])[] = [
  ['empty', ['', ' \n ']],
  ['too_long', [`FREQ=DAILY;BYHOUR=${'1,'.repeat(250)}1`, ' '.repeat(501)]],
  ['freq_missing', ['INTERVAL=2', 'COUNT=3', 'DTSTART:20260101T090000Z']],
  ['freq_unknown', ['FREQ=FORTNIGHTLY', 'FREQ=DAILYX', 'FREQ=0']],
  ['freq_too_frequent', ['FREQ=SECONDLY', 'FREQ=MINUTELY', 'freq=secondly;interval=3600']],
  ['repeated_part', ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ=DAILY;BYHOUR=1;BYHOUR=2', 'FREQ=DAILY;freq=DAILY']],
  [
    'unknown_part',
    ['FREQ=YEARLY;BYEASTER=0', 'FREQ=DAILY;FOO=1', 'FREQ=DAILY;TZID=UTC', 'FREQ=DAILY;BYWEEKDAY=MO'],
  ],
  [
    'unknown_part',
    ['FREQ=DAILY;DTSTART=20260101T000000Z', 'FREQ=DAILY;X-NAME=1', 'FREQ=DAILY;RSCALE=GREGORIAN'],
  ],
  ['syntax', ['FREQ=DAILY;', ';FREQ=DAILY', 'FREQ=DAILY;;COUNT=1', 'FREQ', 'FREQ=', 'FREQ=DAILY INTERVAL=2']],
  [
    'syntax',
    ['FREQ=DAILY;INTERVAL', 'FREQ=DAILY=WEEKLY', 'RRULE:', 'every day', 'FREQ = DAILY', 'FREQ=DAILY;ſ=1'],
  ],
  ['syntax', ['DTSTART:20260101T090000Z\nFREQ=DAILY']],
  ['freq_unknown', ['FREQ=DAıLY', 'FREQ= DAILY', 'FREQ=RRULE:DAILY']],
  [
    'value_malformed',
    [
      'FREQ=DAILY;INTERVAL=1.5',
      'FREQ=DAILY;INTERVAL=-1',
      'FREQ=DAILY;INTERVAL=+1',
      'FREQ=DAILY;INTERVAL=1e3',
    ],
  ],
  [
    'value_malformed',
    [
      'FREQ=MONTHLY;BYMONTHDAY=X1',
      'FREQ=MONTHLY;BYMONTHDAY=1X',
      'FREQ=DAILY;BYMINUTE=-1',
      'FREQ=DAILY;BYSECOND=-1',
      'FREQ=WEEKLY;BYDAY=XMO',
      'FREQ=DAILY;UNTIL=120270101T000000Z',
    ],
  ],
  ['value_malformed', ['FREQ=DAILY;COUNT=-5', 'FREQ=DAILY;COUNT=ten', 'FREQ=DAILY;COUNT=1,2']],
  [
    'value_out_of_range',
    ['FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;INTERVAL=99999999999', 'FREQ=DAILY;INTERVAL=10001'],
  ],
  ['value_out_of_range', ['FREQ=DAILY;COUNT=0', 'FREQ=DAILY;COUNT=10001']],
  [
    'value_out_of_range',
    ['FREQ=DAILY;BYHOUR=25', 'FREQ=DAILY;BYHOUR=24', 'FREQ=DAILY;BYMINUTE=60', 'FREQ=DAILY;BYSECOND=61'],
  ],
  [
    'value_out_of_range',
    [
      'FREQ=DAILY;BYMONTH=0',
      'FREQ=DAILY;BYMONTH=13',
      'FREQ=MONTHLY;BYMONTHDAY=32',
      'FREQ=MONTHLY;BYMONTHDAY=0',
    ],
  ],
  [
    'value_out_of_range',
    [
      'FREQ=MONTHLY;BYMONTHDAY=-32',
      'FREQ=YEARLY;BYWEEKNO=99',
      'FREQ=YEARLY;BYWEEKNO=0',
      'FREQ=YEARLY;BYYEARDAY=367',
    ],
  ],
  [
    'value_out_of_range',
    ['FREQ=YEARLY;BYYEARDAY=0', 'FREQ=DAILY;BYDAY=MO;BYSETPOS=0', 'FREQ=DAILY;BYDAY=MO;BYSETPOS=-367'],
  ],
  [
    'value_out_of_range',
    [
      'FREQ=MONTHLY;BYDAY=0MO',
      'FREQ=YEARLY;BYDAY=54MO',
      'FREQ=MONTHLY;BYDAY=6MO',
      'FREQ=YEARLY;BYMONTH=1;BYDAY=-6MO',
    ],
  ],
  [
    'value_malformed',
    [
      'FREQ=DAILY;BYHOUR=abc',
      'FREQ=DAILY;BYHOUR=-1',
      'FREQ=DAILY;BYHOUR=+1',
      'FREQ=DAILY;BYHOUR=1,',
      'FREQ=DAILY;BYHOUR=,1',
    ],
  ],
  [
    'value_malformed',
    ['FREQ=DAILY;BYHOUR=003', 'FREQ=DAILY;BYMONTH=JAN', 'FREQ=DAILY;BYMONTH=-1', 'FREQ=DAILY;BYMONTH=5L'],
  ],
  [
    'value_malformed',
    [
      'FREQ=WEEKLY;BYDAY=XX',
      'FREQ=WEEKLY;BYDAY=MO,',
      'FREQ=WEEKLY;BYDAY=MON',
      'FREQ=WEEKLY;BYDAY=1',
      'FREQ=WEEKLY;WKST=XX',
    ],
  ],
  [
    'value_malformed',
    [
      'FREQ=DAILY;UNTIL=never',
      'FREQ=DAILY;UNTIL=2027-01-01',
      'FREQ=DAILY;UNTIL=20270101Z',
      'FREQ=DAILY;UNTIL=20270101T00Z',
    ],
  ],
  ['value_out_of_range', ['FREQ=DAILY;UNTIL=20270230T000000Z', 'FREQ=DAILY;UNTIL=20270101T250000Z']],
  ['until_not_utc', ['FREQ=DAILY;UNTIL=20270101', 'FREQ=DAILY;UNTIL=20270101T000000']],
  ['until_not_utc', ['DTSTART;TZID=Europe/Berlin:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20270101T000000']],
  ['count_with_until', ['FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z']],
  [
    'part_not_allowed',
    [
      'FREQ=WEEKLY;BYDAY=2MO',
      'FREQ=DAILY;BYDAY=-1MO',
      'FREQ=HOURLY;BYDAY=1MO',
      'FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO',
    ],
  ],
  [
    'part_not_allowed',
    ['FREQ=MONTHLY;BYWEEKNO=1', 'FREQ=WEEKLY;BYWEEKNO=1', 'FREQ=DAILY;BYWEEKNO=1', 'FREQ=HOURLY;BYWEEKNO=1'],
  ],
  [
    'part_not_allowed',
    [
      'FREQ=MONTHLY;BYYEARDAY=1',
      'FREQ=WEEKLY;BYYEARDAY=1',
      'FREQ=DAILY;BYYEARDAY=1',
      'FREQ=WEEKLY;BYMONTHDAY=1',
    ],
  ],
  ['setpos_alone', ['FREQ=MONTHLY;BYSETPOS=1', 'FREQ=MONTHLY;BYSETPOS=1;INTERVAL=2;WKST=SU']],
  [
    'unsupported_property',
    [
      'EXRULE:FREQ=DAILY',
      'RDATE:20260101T000000Z\nRRULE:FREQ=DAILY',
      'SUMMARY:x',
      'RRULE:FREQ=DAILY\nEXDATE:20260101T000000Z',
    ],
  ],
  [
    'repeated_property',
    [
      'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY',
      'DTSTART:20260101T000000Z\nDTSTART:20260101T000000Z\nRRULE:FREQ=DAILY',
    ],
  ],
];

describe('parsing a recurrence rule', { timeout: 60_000 }, () => {
  it.each(refusals.flatMap(([reason, texts]) => texts.map((text) => [reason, text] as const)))(
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
      fc.string({ unit: 'binary' }),
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

/** The sentences tell the writer of a rule what to do instead. */
it.each([
  ['', 'The rule is empty: write one such as FREQ=DAILY;BYHOUR=3.'],
  ['EXRULE:FREQ=DAILY', 'EXRULE is not supported: write one RRULE, and DTSTART only.'],
  [
    'DTSTART:20260101T000000Z\nDTSTART:20260101T000000Z\nRRULE:FREQ=DAILY',
    'DTSTART is given twice: keep one.',
  ],
  [
    'DTSTART:20260101T090000Z\nFREQ=DAILY',
    'The line "FREQ=DAILY" has no name: write RRULE: before the rule.',
  ],
  ['RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'There are two rules: keep one.'],
  ['DTSTART:20260101T090000Z', 'There is no RRULE: add one such as FREQ=DAILY.'],
  ['FREQ=DAILY;', 'The rule has "": write NAME=VALUE parts with one ; between them.'],
  [
    'FREQ=YEARLY;BYEASTER=0',
    '"BYEASTER" is no part of a rule: use FREQ, INTERVAL, COUNT, UNTIL, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSECOND, BYSETPOS, WKST.',
  ],
  ['FREQ=DAILY;BYHOUR=1;BYHOUR=2', 'BYHOUR is given twice: keep one.'],
  ['INTERVAL=2', 'FREQ is missing: add FREQ=HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.'],
  ['FREQ=SECONDLY', 'FREQ=SECONDLY is too frequent: use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.'],
  ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL is "1.5": write a whole number from 1 to 10000.'],
  ['FREQ=DAILY;COUNT=10001', 'COUNT is "10001": write a whole number from 1 to 10000.'],
  ['FREQ=DAILY;UNTIL=never', 'UNTIL is "NEVER": write a UTC date and time such as 20271231T235959Z.'],
  [
    'FREQ=DAILY;UNTIL=20270101',
    'UNTIL is "20270101", not in UTC: write a UTC date and time such as 20271231T235959Z.',
  ],
  [
    'FREQ=DAILY;UNTIL=20270230T000000Z',
    'UNTIL is "20270230T000000Z", which is no date and time: write a UTC date and time such as 20271231T235959Z.',
  ],
  ['FREQ=WEEKLY;WKST=XX', 'WKST is "XX": use one of MO, TU, WE, TH, FR, SA, SU.'],
  ['FREQ=DAILY;BYHOUR=x', 'BYHOUR has "X": write whole numbers from 0 to 23, separated by commas.'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=-32',
    'BYMONTHDAY has "-32": write whole numbers from 1 to 31 or -31 to -1, separated by commas.',
  ],
  [
    'FREQ=YEARLY;BYWEEKNO=54',
    'BYWEEKNO has "54": write whole numbers from 1 to 53 or -53 to -1, separated by commas.',
  ],
  [
    'FREQ=YEARLY;BYYEARDAY=1000',
    'BYYEARDAY has "1000": write whole numbers from 1 to 366 or -366 to -1, separated by commas.',
  ],
  ['FREQ=WEEKLY;BYDAY=MON', 'BYDAY has "MON": write days such as MO, 2TU or -1FR.'],
  ['FREQ=YEARLY;BYDAY=54MO', 'BYDAY has "54MO": the number is 1 to 53 or -53 to -1.'],
  ['FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z', 'COUNT and UNTIL exclude each other: keep one of them.'],
  ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO goes with FREQ=YEARLY only, not with MONTHLY: remove it.'],
  ['FREQ=MONTHLY;BYYEARDAY=1', 'BYYEARDAY does not go with FREQ=MONTHLY: remove it or use YEARLY.'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY does not go with FREQ=WEEKLY: use MONTHLY.'],
  [
    'FREQ=WEEKLY;BYDAY=2MO',
    'BYDAY has a numbered day, which goes with MONTHLY and YEARLY only, not with WEEKLY: write MO, not 1MO.',
  ],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', 'BYDAY has a numbered day beside BYWEEKNO: write MO, not 1MO.'],
  [
    'FREQ=MONTHLY;BYDAY=-6MO',
    'BYDAY asks for day number 6 of a month, which has at most 5: use 1 to 5 or -5 to -1.',
  ],
  ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS picks from what another BY part lists: add one, such as BYDAY.'],
  [
    `DTSTART:${'1'.repeat(80)}\nRRULE:FREQ=DAILY`,
    `DTSTART:${'1'.repeat(59)} is no date and time: write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.`,
  ],
  ['DTSTART:19690101T000000Z\nRRULE:FREQ=DAILY', 'DTSTART is in 1969: use 1970 to 2999.'],
  [
    'DTSTART;X=1:20260101T000000Z\nRRULE:FREQ=DAILY',
    'DTSTART has "X=1": write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.',
  ],
  [
    'DTSTART:20260101T000000\nRRULE:FREQ=DAILY',
    'DTSTART names no time zone: write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.',
  ],
  [
    'DTSTART;TZID=UTC:20260101T000000Z\nRRULE:FREQ=DAILY',
    'DTSTART has both TZID and Z: write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.',
  ],
  [
    'DTSTART;TZID=Mars/Olympus:20260101T000000\nRRULE:FREQ=DAILY',
    'The time zone "Mars/Olympus" is unknown: use a name such as Europe/Berlin or UTC.',
  ],
  [
    'FREQ=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'FREQ is "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA": use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.',
  ],
  [
    'FREQ=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'FREQ is "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…": use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.',
  ],
])('refuses %j in words', (text, message) => {
  expect(parseRecurrenceRule(text)).toMatchObject({ ok: false, message });
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

  it('keeps an alias of a time zone as it was written', () => {
    const start = parseStart(';TZID=US/Eastern:20260101T090000');
    expect(start).toEqual({ local: '20260101T090000', zone: 'US/Eastern' });
  });
});

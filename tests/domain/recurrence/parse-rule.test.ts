import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RULE_LENGTH, parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRefusal } from '../../../domain/recurrence/recurrence-rule.ts';

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

  it.each([
    'FREQ=HOURLY',
    'FREQ=HOURLY;BYYEARDAY=1,-1',
    'FREQ=DAILY;INTERVAL=1;COUNT=1;BYMONTH=1,12',
    'FREQ=YEARLY;BYWEEKNO=1,53,-53,+1',
    'FREQ=YEARLY;BYDAY=-53MO,+53SU,TU,WE,TH,FR,SA',
    'FREQ=YEARLY;BYYEARDAY=366,-366;BYSETPOS=-366',
    'FREQ=MONTHLY;BYMONTHDAY=1,31,-31',
    'FREQ=YEARLY;BYMONTH=2;BYDAY=5MO,-5MO',
    'FREQ=YEARLY;BYDAY=6MO',
    'FREQ=YEARLY;BYDAY=53MO',
    'FREQ=YEARLY;BYYEARDAY=-366;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYDAY=-5SU,5MO;BYSETPOS=366',
    'FREQ=DAILY;INTERVAL=10000;COUNT=10000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,60',
    'DTSTART;TZID=US/Eastern:20260101T000000\nRRULE:FREQ=DAILY',
    'DTSTART;TZID=Australia/Lord_Howe:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20270101T000000Z',
    `FREQ=DAILY;BYHOUR=${'1,'.repeat(240)}1`,
  ])('accepts %s', (text) => {
    expect(parseRecurrenceRule(text)).toMatchObject({ ok: true });
  });

  it.each(['\n ', '\n\t', '\r\n '])('joins lines that were folded with %j', (fold) => {
    expect(parseRecurrenceRule(`RRULE:FREQ=DAI${fold}LY`)).toMatchObject({ ok: true });
  });

  it('reads what every part says, in one order however it is written', () => {
    const text =
      'FREQ=YEARLY;INTERVAL=2;UNTIL=19700102T000000Z;BYDAY=TU,-1MO,MO,TU;BYMONTH=12,1;BYMONTHDAY=2,-1;BYHOUR=9;BYMINUTE=5,0;BYSECOND=60,59,0;BYSETPOS=1;WKST=SU';
    expect(parseRecurrenceRule(`dtstart:20260101t090000z\nrrule:${text.toLowerCase()}`)).toEqual({
      ok: true,
      rule: {
        freq: 'YEARLY',
        interval: 2,
        until: 86_400,
        byDay: [
          { weekday: 'MO', ordinal: -1 },
          { weekday: 'MO', ordinal: 0 },
          { weekday: 'TU', ordinal: 0 },
        ],
        byMonth: [1, 12],
        byMonthDay: [-1, 2],
        byHour: [9],
        byMinute: [0, 5],
        bySecond: [0, 59],
        bySetPos: [1],
        byWeekNo: [],
        byYearDay: [],
        weekStart: 'SU',
        start: { local: '20260101T090000', zone: 'UTC' },
      },
    });
  });

  it('counts the characters as written', () => {
    const text = 'FREQ=DAILY'.padEnd(MAX_RULE_LENGTH);
    expect(parseRecurrenceRule(text)).toMatchObject({ ok: true });
    expect(parseRecurrenceRule(`${text} `)).toMatchObject({ ok: false, reason: 'too_long' });
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

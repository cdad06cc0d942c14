import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../adapters/recurrence/evaluate.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';

/** Occurrences as `YYYY-MM-DD` of the local day, or with ` HH:MM`, in New York. */
function local(rule: string, start: string, limit: number, withTime: boolean): string[] {
  const parsed = parseRecurrenceRule(`DTSTART;TZID=America/New_York:${start}T090000\nRRULE:FREQ=${rule}`);
  if (!parsed.ok || parsed.rule.start === undefined) throw new Error(rule);
  const range = { after: 0, before: Infinity, limit };
  const at = evaluate({ rule: parsed.rule, start: parsed.rule.start, ...range });
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    ...(withTime && { timeStyle: 'short' }),
  });
  return at.map((second) => format.format(second * 1000));
}

const days = (text: string): string[] => {
  let yearMonth = '';
  return text.split(/\s+/).map((day) => {
    if (day.length > 2) yearMonth = day.slice(0, 8);
    return day.length > 2 ? day : yearMonth + day;
  });
};

/** Rule, first day at nine, and first occurrences: the examples of RFC 5545, 3.8.5.3. */
const examples: readonly (readonly [rule: string, start: string, expected: string])[] = [
  ['DAILY;COUNT=10', '19970902', '1997-09-02 03 04 05 06 07 08 09 10 11'],
  ['DAILY;INTERVAL=10;COUNT=5', '19970902', '1997-09-02 12 22 1997-10-02 12'],
  ['DAILY;INTERVAL=2;UNTIL=19970912T000000Z', '19970902', '1997-09-02 04 06 08 10'],
  ['WEEKLY;COUNT=5', '19970902', '1997-09-02 09 16 23 30'],
  ['WEEKLY;INTERVAL=2;WKST=SU;COUNT=4', '19970902', '1997-09-02 16 30 1997-10-14'],
  [
    'WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '19970902',
    '1997-09-02 04 09 11 16 18 23 25 30 1997-10-02',
  ],
  [
    'WEEKLY;INTERVAL=2;UNTIL=19970930T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '19970901',
    '1997-09-01 03 05 15 17 19 29',
  ],
  ['WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '19970805', '1997-08-05 10 19 24'],
  ['WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '19970805', '1997-08-05 17 19 31'],
  ['MONTHLY;COUNT=4;BYDAY=1FR', '19970905', '1997-09-05 1997-10-03 1997-11-07 1997-12-05'],
  ['MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU', '19970907', '1997-09-07 28 1997-11-02 30 1998-01-04 25'],
  ['MONTHLY;COUNT=3;BYDAY=-2MO', '19970922', '1997-09-22 1997-10-20 1997-11-17'],
  ['MONTHLY;BYMONTHDAY=-3;COUNT=4', '19970928', '1997-09-28 1997-10-29 1997-11-28 1997-12-29'],
  ['MONTHLY;COUNT=5;BYMONTHDAY=2,15', '19970902', '1997-09-02 15 1997-10-02 15 1997-11-02'],
  ['MONTHLY;COUNT=5;BYMONTHDAY=1,-1', '19970930', '1997-09-30 1997-10-01 31 1997-11-01 30'],
  [
    'MONTHLY;INTERVAL=18;COUNT=8;BYMONTHDAY=10,11,12,13,14,15',
    '19970910',
    '1997-09-10 11 12 13 14 15 1999-03-10 11',
  ],
  ['MONTHLY;INTERVAL=2;BYDAY=TU;COUNT=7', '19970902', '1997-09-02 09 16 23 30 1997-11-04 11'],
  ['YEARLY;COUNT=4;BYMONTH=6,7', '19970610', '1997-06-10 1997-07-10 1998-06-10 1998-07-10'],
  ['YEARLY;INTERVAL=2;COUNT=4;BYMONTH=1,2,3', '19970310', '1997-03-10 1999-01-10 1999-02-10 1999-03-10'],
  [
    'YEARLY;INTERVAL=3;COUNT=6;BYYEARDAY=1,100,200',
    '19970101',
    '1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18',
  ],
  ['YEARLY;BYDAY=20MO;COUNT=3', '19970519', '1997-05-19 1998-05-18 1999-05-17'],
  ['YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', '19970512', '1997-05-12 1998-05-11 1999-05-17'],
  ['YEARLY;BYMONTH=3;BYDAY=TH;COUNT=5', '19970313', '1997-03-13 20 27 1998-03-05 12'],
  ['MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=4', '19970902', '1998-02-13 1998-03-13 1998-11-13 1999-08-13'],
  ['MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=3', '19970913', '1997-09-13 1997-10-11 1997-11-08'],
  [
    'YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3',
    '19961105',
    '1996-11-05 2000-11-07 2004-11-02',
  ],
  ['MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '19970904', '1997-09-04 1997-10-07 1997-11-06'],
  ['MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3', '19970929', '1997-09-29 1997-10-30 1997-11-27'],
  ['MONTHLY;BYMONTHDAY=15,30;COUNT=5', '20070115', '2007-01-15 30 2007-02-15 2007-03-15 30'],
  // what rrule alone gets wrong
  ['MONTHLY;BYDAY=MO,-1WE;COUNT=6', '20260901', '2026-09-07 14 21 28 30 2026-10-05'],
  ['MONTHLY;BYMONTHDAY=20,31;BYSETPOS=-2;COUNT=3', '20260101', '2026-01-20 2026-03-20 2026-05-20'],
  ['MONTHLY;BYMONTHDAY=20;BYSETPOS=1,-1;COUNT=3', '20260101', '2026-01-20 2026-02-20 2026-03-20'],
  ['YEARLY;BYWEEKNO=53;BYDAY=FR;COUNT=2', '20200101', '2021-01-01 2027-01-01'],
  ['YEARLY;BYWEEKNO=-53;BYDAY=MO;COUNT=2', '20190101', '2019-12-30 2025-12-29'],
  ['YEARLY;BYWEEKNO=20;COUNT=2', '20260514', '2026-05-14 2027-05-20'],
];

describe('examples of RFC 5545', () => {
  it.each(examples)('%s from %s', (rule, start, expected) => {
    const wanted = days(expected);
    expect(local(rule, start, wanted.length + (/COUNT|UNTIL/.test(rule) ? 1 : 0), false)).toEqual(wanted);
  });

  it('has every third hour until the end of a working day', () => {
    const rule = 'HOURLY;INTERVAL=3;UNTIL=19970902T210000Z';
    const expected = ['1997-09-02 09:00', '1997-09-02 12:00', '1997-09-02 15:00'];
    expect(local(rule, '19970902', 10, true)).toEqual(expected);
  });

  it('has every 20 minutes of an hour as hours and minutes of a day', () => {
    const rule = 'DAILY;BYHOUR=9,10;BYMINUTE=0,20,40;COUNT=6';
    expect(local(rule, '19970902', 10, true).map((at) => at.slice(11))).toEqual([
      '09:00',
      '09:20',
      '09:40',
      '10:00',
      '10:20',
      '10:40',
    ]);
  });
});

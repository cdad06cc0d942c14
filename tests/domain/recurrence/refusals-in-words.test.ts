import { expect, it } from 'vitest';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';

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
  ['FREQ=FORTNIGHTLY', 'FREQ is "FORTNIGHTLY": use HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.'],
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
  ['FREQ=DAILY;BYHOUR=24', 'BYHOUR has "24": write whole numbers from 0 to 23, separated by commas.'],
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
    'DTSTART:2026\nRRULE:FREQ=DAILY',
    'DTSTART:2026 is no date and time: write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.',
  ],
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

it('tells how long a rule is that is too long', () => {
  expect(parseRecurrenceRule(' '.repeat(501))).toMatchObject({
    message: 'The rule has 501 characters: write at most 500.',
  });
});

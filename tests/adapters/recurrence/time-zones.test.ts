import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../adapters/recurrence/evaluate.ts';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';

function occurrences(zone: string, start: string, rule: string, limit: number): string[] {
  const parsed = parseRecurrenceRule(`DTSTART;TZID=${zone}:${start}\nRRULE:FREQ=${rule}`);
  if (!parsed.ok || parsed.rule.start === undefined) throw new Error(rule);
  const query = { rule: parsed.rule, start: parsed.rule.start, after: 0, before: Infinity, limit };
  return evaluate(query).map((second) => new Date(second * 1000).toISOString().slice(0, 16));
}

/** A local time that does not exist is left out; of one that exists twice, the first instant counts. */
const table: readonly (readonly [zone: string, start: string, rule: string, utc: string])[] = [
  // spring: 8 March 2026, 02:00 EST becomes 03:00 EDT
  ['America/New_York', '20260307T020000', 'DAILY', '2026-03-07T07:00 2026-03-09T06:00'],
  ['America/New_York', '20260307T023000', 'DAILY', '2026-03-07T07:30 2026-03-09T06:30'],
  ['America/New_York', '20260307T030000', 'DAILY', '2026-03-07T08:00 2026-03-08T07:00 2026-03-09T07:00'],
  ['America/New_York', '20260308T000000', 'HOURLY', '2026-03-08T05:00 2026-03-08T06:00 2026-03-08T07:00'],
  ['America/New_York', '20260308T023000', 'YEARLY', '2027-03-08T07:30 2028-03-08T07:30'],
  // autumn: 1 November 2026, 02:00 EDT becomes 01:00 EST
  ['America/New_York', '20261031T013000', 'DAILY', '2026-10-31T05:30 2026-11-01T05:30 2026-11-02T06:30'],
  ['America/New_York', '20261101T000000', 'HOURLY', '2026-11-01T04:00 2026-11-01T05:00 2026-11-01T07:00'],
  // spring: 29 March 2026, 02:00 CET becomes 03:00 CEST
  ['Europe/Berlin', '20260328T023000', 'DAILY', '2026-03-28T01:30 2026-03-30T00:30'],
  ['Europe/Berlin', '20260328T015959', 'DAILY', '2026-03-28T00:59 2026-03-29T00:59 2026-03-29T23:59'],
  ['Europe/Berlin', '20260322T023000', 'WEEKLY', '2026-03-22T01:30 2026-04-05T00:30'],
  // autumn: 25 October 2026, 03:00 CEST becomes 02:00 CET
  ['Europe/Berlin', '20261024T023000', 'DAILY', '2026-10-24T00:30 2026-10-25T00:30 2026-10-26T01:30'],
  ['Europe/Berlin', '20261024T030000', 'DAILY', '2026-10-24T01:00 2026-10-25T02:00 2026-10-26T02:00'],
  // half an hour: 4 October 2026, 02:00 (+10:30) becomes 02:30 (+11)
  ['Australia/Lord_Howe', '20261003T020000', 'DAILY', '2026-10-02T15:30 2026-10-04T15:00'],
  ['Australia/Lord_Howe', '20261003T022959', 'DAILY', '2026-10-02T15:59 2026-10-04T15:29'],
  ['Australia/Lord_Howe', '20261003T023000', 'DAILY', '2026-10-02T16:00 2026-10-03T15:30 2026-10-04T15:30'],
  // half an hour back: 5 April 2026, 02:00 (+11) becomes 01:30 (+10:30)
  ['Australia/Lord_Howe', '20260404T014500', 'DAILY', '2026-04-03T14:45 2026-04-04T14:45 2026-04-05T15:15'],
  ['Australia/Lord_Howe', '20260404T020000', 'DAILY', '2026-04-03T15:00 2026-04-04T15:30 2026-04-05T15:30'],
  // a whole day left out at the date line: 30 December 2011
  ['Pacific/Apia', '20111229T120000', 'DAILY', '2011-12-29T22:00 2011-12-30T22:00 2011-12-31T22:00'],
];

describe('changes of the clock', () => {
  it.each(table)('in %s from %s %s', (zone, start, rule, utc) => {
    const expected = utc.split(' ');
    expect(occurrences(zone, start, rule, expected.length)).toEqual(expected);
  });

  it('are no occurrence towards COUNT when the time does not exist', () => {
    expect(occurrences('America/New_York', '20260307T023000', 'DAILY;COUNT=3', 10)).toEqual([
      '2026-03-07T07:30',
      '2026-03-09T06:30',
      '2026-03-10T06:30',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { parseRecurrenceRule } from '../../../domain/recurrence/parse-rule.ts';
import type { RecurrenceRefusal } from '../../../domain/recurrence/recurrence-rule.ts';
import { parseStart } from '../../../domain/recurrence/rule-parts.ts';

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
    [';TZID=Europe/Berlin:20260101T090000', '20260101T090000', 'Europe/Berlin'],
    [';TZID="europe/berlin";VALUE=DATE-TIME:20260101T090000', '20260101T090000', 'Europe/Berlin'],
    [';TZID=Etc/GMT+5:20260101T235960', '20260101T235959', 'Etc/GMT+5'],
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  civilFromDays,
  daysFromCivil,
  formatBasicDateTime,
  parseBasicDateTime,
  weekdayOfDays,
} from '../../../domain/shared/civil-time.ts';

const days = fc.integer({ min: -700_000, max: 2_900_000 });

describe('civil time', () => {
  it('agrees with the calendar of the language on every day, weekday included', () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * 86_400_000);
        expect(civilFromDays(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(daysFromCivil(civilFromDays(day))).toBe(day);
        expect(weekdayOfDays(day)).toBe((date.getUTCDay() + 6) % 7);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads back every date and time that it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const text = formatBasicDateTime(seconds);
        const iso = new Date(seconds * 1000).toISOString().slice(0, 19);
        expect(text).toBe(iso.replaceAll(/[-:]/g, ''));
        expect(parseBasicDateTime(text)).toBe(seconds);
      }),
    );
  });

  it.each(['', '20260100T000000', '20250229T000000', '20260199T000000', '120260101T000000'])(
    'takes %j for no date and time',
    (text) => expect(parseBasicDateTime(text)).toBeUndefined(),
  );

  it.each(['20260101T240000', '20260101T006000', '20260101T000061', '20260101', '20260101T000000Z'])(
    'takes %j for no time of day',
    (text) => expect(parseBasicDateTime(text)).toBeUndefined(),
  );

  it('reads a leap second as the second before it', () => {
    expect(parseBasicDateTime('20161231T235960')).toBe(parseBasicDateTime('20161231T235959'));
  });
});

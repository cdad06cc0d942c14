import { afterAll, describe, expect, it } from 'vitest';
import { createRecurrence } from '../../../../adapters/recurrence/recurrence.ts';
import type { Recurrence } from '../../../../application/ports/recurrence.ts';
import { type ScheduleCheck, checkSchedule } from '../../../../application/sources/schedules/scheduling.ts';

const NOW = Date.UTC(2026, 0, 1, 9, 30);
const recurrence = createRecurrence({ deadlineMs: 60_000 });
afterAll(() => recurrence.close());

const check = (rule: string, now = NOW): Promise<ScheduleCheck> =>
  checkSchedule(recurrence, { rule, start: now, now });

describe('checking a schedule', { timeout: 60_000 }, () => {
  it.each([
    ['FREQ=DAILY', '2026-01-02T09:30:00.000Z'],
    ['FREQ=HOURLY', '2026-01-01T10:30:00.000Z'],
    ['FREQ=HOURLY;BYMINUTE=0,15,30,45', '2026-01-01T09:45:00.000Z'],
    ['FREQ=DAILY;BYHOUR=0,23;BYMINUTE=0,45', '2026-01-01T23:00:00.000Z'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2028-02-29T09:30:00.000Z'],
    ['FREQ=DAILY;COUNT=2', '2026-01-02T09:30:00.000Z'],
    ['FREQ=DAILY;UNTIL=20260102T093000Z', '2026-01-02T09:30:00.000Z'],
    ['DTSTART;TZID=Europe/Berlin:20010101T030000\nRRULE:FREQ=DAILY', '2026-01-02T02:00:00.000Z'],
    ['DTSTART:20990101T000000Z\nRRULE:FREQ=DAILY', '2099-01-01T00:00:00.000Z'],
  ])('accepts %s, next at %s', async (rule, next) => {
    const checked = await check(rule);
    expect(checked.ok ? new Date(checked.next).toISOString() : checked.message).toBe(next);
  });

  it.each([
    'FREQ=HOURLY;BYMINUTE=0,14',
    'FREQ=DAILY;BYHOUR=3;BYSECOND=0,1',
    'FREQ=HOURLY;BYMINUTE=0,15,30,46',
    // midnight between two days in a row
    'FREQ=DAILY;BYHOUR=0,23;BYMINUTE=5,55',
    // the last day of a month and the first, months ahead
    'FREQ=YEARLY;BYMONTH=7,8;BYMONTHDAY=1,31;BYHOUR=0,2,4,6,8,10,12,14,16,18,20,23;BYMINUTE=0,15,30,50',
    // the hour that the clock leaves out on 8 March brings 01:50 and 03:00 together
    'DTSTART;TZID=America/New_York:20260101T000000\nRRULE:FREQ=DAILY;BYHOUR=1,3;BYMINUTE=0,50',
    // a start long ahead
    'DTSTART:20990101T000000Z\nRRULE:FREQ=HOURLY;BYMINUTE=0,5',
  ])('refuses as too frequent %s', async (rule) => {
    const checked = await check(rule);
    expect(checked).toMatchObject({ ok: false, reason: 'too_frequent' });
    expect(checked.ok ? '' : checked.message).toMatch(
      /^The rule fires at \S+:\d\dZ and again at \S+:\d\dZ: leave at least 15 minutes between\.$/,
    );
  });

  it.each([
    'FREQ=DAILY;UNTIL=20251231T000000Z',
    'FREQ=DAILY;UNTIL=20260101T093000Z',
    'FREQ=DAILY;COUNT=1',
    'DTSTART:20200101T000000Z\nRRULE:FREQ=DAILY;COUNT=100',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=3',
    'FREQ=YEARLY;INTERVAL=1000',
  ])('refuses as never firing again %s', async (rule) => {
    const checked = await check(rule);
    expect(checked).toMatchObject({ ok: false, reason: 'never_fires' });
    expect(checked.ok ? '' : checked.message).toMatch(/\.$/);
  });

  it('refuses a start that is out of range', async () => {
    expect(await check('FREQ=DAILY', -1)).toMatchObject({ ok: false, reason: 'dtstart_out_of_range' });
  });

  it('refuses a rule that takes too long, at the second look as well', async () => {
    for (const answers of [[], [[NOW + 1]]]) {
      const given = [...answers];
      const slow: Recurrence = {
        occurrences: async () => {
          const at = given.shift();
          return at === undefined
            ? { ok: false, reason: 'too_costly', message: 'Too slow.' }
            : { ok: true, at };
        },
        close: async () => undefined,
      };
      const checked = await checkSchedule(slow, { rule: 'FREQ=DAILY', start: NOW, now: NOW });
      expect(checked).toEqual({ ok: false, reason: 'too_costly', message: 'Too slow.' });
    }
  });
});

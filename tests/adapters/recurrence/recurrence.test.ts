import { afterAll, describe, expect, it } from 'vitest';
import { createRecurrence } from '../../../adapters/recurrence/recurrence.ts';
import { MAX_OCCURRENCES, type OccurrenceQuery } from '../../../application/ports/recurrence.ts';
import { HANGING_RULES } from './hanging-rules.ts';

/** Those that hang rrule and are in order: the rest is refused before it is evaluated. */
const WELL_FORMED = HANGING_RULES.filter((rule) => !/SECONDLY|MINUTELY|INTERVAL=-1/.test(rule));
const START = Date.UTC(2026, 0, 1, 9, 30, 15, 250);
// the deadline is tested with threads that hang; here a slow machine must not matter
const recurrence = createRecurrence({ deadlineMs: 60_000 });
afterAll(() => recurrence.close());

const ask = (rule: string, rest: Partial<OccurrenceQuery> = {}): ReturnType<typeof recurrence.occurrences> =>
  recurrence.occurrences({ rule, start: START, after: START, limit: 3, ...rest });

async function times(rule: string, rest: Partial<OccurrenceQuery> = {}): Promise<string[]> {
  const found = await ask(rule, rest);
  if (!found.ok) throw new Error(found.message);
  return found.at.map((at) => new Date(at).toISOString());
}

describe('recurrence', { timeout: 60_000 }, () => {
  it('takes what the rule leaves open from the start, cut to the second', async () => {
    expect(await times('FREQ=DAILY')).toEqual([
      '2026-01-02T09:30:15.000Z',
      '2026-01-03T09:30:15.000Z',
      '2026-01-04T09:30:15.000Z',
    ]);
  });

  it('lets the DTSTART of the rule win over the start', async () => {
    const rule = 'DTSTART;TZID=Europe/Berlin:20260105T080000\nRRULE:FREQ=WEEKLY';
    expect((await times(rule))[0]).toBe('2026-01-05T07:00:00.000Z');
  });

  it('reads a rule without DTSTART in the zone that is given', async () => {
    const summer = { after: Date.UTC(2026, 6, 1), limit: 1 };
    expect(await times('FREQ=DAILY;BYHOUR=3', { ...summer, zone: 'europe/berlin' })).toEqual([
      '2026-07-01T01:30:15.000Z',
    ]);
    expect(await times('FREQ=DAILY', { ...summer, zone: 'America/New_York' })).toEqual([
      '2026-07-01T08:30:15.000Z',
    ]);
  });

  it('leaves out both ends of the interval', async () => {
    const first = Date.UTC(2026, 0, 2, 9, 30, 15);
    const second = first + 86_400_000;
    const within = (after: number, before: number): Promise<string[]> =>
      times('FREQ=DAILY', { after, before });
    expect(await within(first, second)).toEqual([]);
    expect(await within(first - 1, second)).toEqual([new Date(first).toISOString()]);
    expect(await within(first, second + 1)).toEqual([new Date(second).toISOString()]);
  });

  it('answers the same however old the rule is', async () => {
    const after = Date.UTC(2026, 10, 20, 12);
    for (const year of ['1970', '2001', '2026']) {
      expect(await times(`DTSTART:${year}0101T030000Z\nRRULE:FREQ=DAILY`, { after, limit: 1 })).toEqual([
        '2026-11-21T03:00:00.000Z',
      ]);
    }
  });

  it.each(WELL_FORMED)('finds that %s never fires, while the event loop is free', async (rule) => {
    const started = Date.UTC(2026, 0, 1);
    let answered = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!answered) setImmediate(count);
    };
    setImmediate(count);
    const found = await ask(rule, { start: started, after: started }).finally(() => {
      answered = true;
    });
    expect(found).toEqual({ ok: true, at: [] });
    expect(turns).toBeGreaterThan(20);
  });

  it.each(HANGING_RULES.filter((rule) => !WELL_FORMED.includes(rule)))('refuses %s', async (rule) => {
    expect(await ask(rule)).toMatchObject({ ok: false, reason: 'invalid' });
  });

  it.each([
    ['INTERVAL=2', 'freq_missing'],
    ['FREQ=DAILY;INTERVAL=0', 'value_out_of_range'],
    ['FREQ=DAILY;COUNT=-5', 'value_malformed'],
    ['FREQ=DAILY;BYHOUR=25', 'value_out_of_range'],
    ['FREQ=WEEKLY;BYDAY=2MO', 'part_not_allowed'],
  ])('refuses %s, which rrule takes for something else', async (rule, refusal) => {
    expect(await ask(rule)).toMatchObject({ ok: false, reason: 'invalid', refusal });
  });

  it('refuses an unknown zone and a start out of range', async () => {
    expect(await ask('FREQ=DAILY', { zone: 'Mars/Olympus' })).toMatchObject({ refusal: 'time_zone_unknown' });
    expect(await ask('FREQ=DAILY', { start: -1 })).toMatchObject({ refusal: 'dtstart_out_of_range' });
  });

  it.each([0, 1.5, -1, MAX_OCCURRENCES + 1, Number.NaN])('throws on the limit %s', async (limit) => {
    await expect(ask('FREQ=DAILY', { limit })).rejects.toThrow(RangeError);
  });

  it('throws on an instant that is none', async () => {
    await expect(ask('FREQ=DAILY', { after: Number.NaN })).rejects.toThrow(RangeError);
    await expect(ask('FREQ=DAILY', { after: 9e15 })).rejects.toThrow(RangeError);
    await expect(ask('FREQ=DAILY', { start: Number.NaN })).rejects.toThrow(RangeError);
  });

  it('says that a rule is too costly when the deadline passes, and rejects once it is closed', async () => {
    const hurried = createRecurrence({ deadlineMs: 0 });
    const rule = 'DTSTART;TZID=Europe/Berlin:19700101T000000\nRRULE:FREQ=HOURLY;COUNT=10000';
    const query = { rule, start: START, after: START, limit: 1 };
    expect(await hurried.occurrences(query)).toMatchObject({ ok: false, reason: 'too_costly' });
    await hurried.close();
    await expect(hurried.occurrences(query)).rejects.toThrow('closed');
  });
});

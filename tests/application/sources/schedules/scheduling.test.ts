import { describe, expect, it } from 'vitest';
import {
  type OccurrenceQuery,
  type Occurrences,
  type Recurrence,
} from '../../../../application/ports/recurrence.ts';
import { checkSchedule } from '../../../../application/sources/schedules/check-schedule.ts';
import { createScheduling } from '../../../../application/sources/schedules/create-scheduling.ts';

const NOW = Date.UTC(2026, 0, 1, 9, 30);
const MINUTE = 60_000;
const DAILY = 'FREQ=DAILY';

/** A recurrence that answers these one after the other, and what it was asked. */
const answering = (...answers: readonly Occurrences[]) => {
  const asked: OccurrenceQuery[] = [];
  const left = [...answers];
  const recurrence: Recurrence = {
    occurrences: async (query) => {
      asked.push(query);
      return left.shift()!;
    },
    close: async () => undefined,
  };
  return { recurrence, asked };
};
const at = (...minutes: readonly number[]): Occurrences => ({
  ok: true,
  at: minutes.map((minute) => NOW + minute * MINUTE),
});
const check = (recurrence: Recurrence) => checkSchedule(recurrence, { rule: DAILY, start: NOW, now: NOW });

describe('a schedule that is checked', () => {
  it('is refused for two that are too near, at either look', async () => {
    const message =
      'The rule fires at 2026-01-01T09:45:00Z and again at 2026-01-01T09:59:00Z: leave at least 15 minutes between.';
    const refused = { ok: false, reason: 'too_frequent', message };
    const once = answering(at(15, 29));
    expect(await check(once.recurrence)).toEqual(refused);
    expect(once.asked).toHaveLength(1);
    expect(await check(answering(at(0), at(0, 15, 29)).recurrence)).toEqual(refused);
    expect(await check(answering(at(15), at(15, 30)).recurrence)).toMatchObject({ ok: true });
  });
});

describe('scheduling', () => {
  it('refuses a rule with the reason', async () => {
    const scheduling = createScheduling(answering(at()).recurrence);
    await expect(scheduling.schedule(DAILY, NOW)).rejects.toMatchObject({
      code: 'invalid_rrule',
      message: expect.stringMatching(/^The rule never fires again/) as string,
    });
  });

  it('tells the occurrences of a rule that was kept, and fails where it cannot be read any more', async () => {
    const costly = { ok: false, reason: 'too_costly', message: 'Too slow.' } as const;
    const { recurrence, asked } = answering(at(15), costly);
    const { occurrences } = createScheduling(recurrence);
    const kept = { rrule: DAILY, start: NOW };
    expect(await occurrences(kept, NOW + 1, 3)).toEqual([NOW + 15 * MINUTE]);
    expect(asked).toEqual([{ rule: DAILY, start: NOW, after: NOW + 1, limit: 3 }]);
    await expect(occurrences(kept, NOW, 3)).rejects.toThrow(
      'a stored schedule cannot be evaluated: Too slow.',
    );
  });
});

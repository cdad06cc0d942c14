import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELETION_PATIENCE,
  DELETION_REST,
  isToBeTakenUp,
  pauseAfter,
} from '../../../domain/data-source/index.ts';
import {
  after,
  begun,
  claimed,
  completed,
  created,
  deleted,
  progressed,
  purgeFailed,
  retried,
  START,
  type Step,
  STEP_MS,
  synced,
  ticked,
} from './job-steps.ts';

const HOUR = 3_600_000;

/** Every try fails for what may pass, and takes `tryMs`; the first one is `lateMs` after the request. */
const pausesOf = (
  tryMs: number,
  lateMs: number,
): { readonly pauses: readonly number[]; readonly end: number } => {
  const pauses: number[] = [];
  let at = START + lateMs;
  for (let tries = 1; ; tries += 1) {
    at += tryMs;
    const pause = pauseAfter({ transient: true, tries, lasting: 0, since: START, at });
    if (pause === null) return { pauses, end: at };
    pauses.push(pause);
    at += pause;
  }
};

describe('a deletion whose tries fail', () => {
  it('for what may pass is tried for an hour, with growing pauses of at most ten minutes', () => {
    const { pauses, end } = pausesOf(0, 0);
    expect(pauses.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(Math.max(...pauses)).toBe(600_000);
    expect(end - START).toBeGreaterThanOrEqual(DELETION_PATIENCE);
    expect(end - START).toBeLessThan(DELETION_PATIENCE + 600_000);
  });

  it('is never given up within an hour of its first try, however late that was, and always in the end', () => {
    fc.assert(
      fc.property(fc.nat(120_000), fc.nat(48 * HOUR), (tryMs, lateMs) => {
        const { pauses, end } = pausesOf(tryMs, lateMs);
        expect(end - (START + lateMs)).toBeGreaterThanOrEqual(HOUR);
        expect(pauses.length).toBeLessThan(30);
      }),
    );
  });

  it('is not given up for its many tries alone: workers that were killed have used some of them', () => {
    const failed = { transient: true, tries: 1_000, lasting: 0, since: START };
    expect(pauseAfter({ ...failed, at: START + HOUR - 1 })).toBe(600_000);
    expect(pauseAfter({ ...failed, at: START + HOUR })).toBeNull();
  });

  it('for what waiting does not mend is given up at the third, after 10 s and 60 s', () => {
    const failed = { transient: false, tries: 40, since: START, at: START + 30 * HOUR };
    expect([1, 2, 3].map((lasting) => pauseAfter({ ...failed, lasting }))).toEqual([10_000, 60_000, null]);
  });

  it('and that is given up, is taken up again a day after', () => {
    const { state } = after(created, deleted, purgeFailed);
    const failedAt = START + 2 * STEP_MS;
    expect(isToBeTakenUp(state, failedAt + DELETION_REST - 1)).toBe(false);
    expect(isToBeTakenUp(state, failedAt + DELETION_REST)).toBe(true);
    for (const others of [[created], [created, deleted], [created, deleted, purgeFailed, deleted]]) {
      expect(isToBeTakenUp(after(...others).state, START + 1_000 * DELETION_REST)).toBe(false);
    }
  });
});

describe('the age of a status', () => {
  it('begins with the event that led to it, and does not begin anew with what changes nothing', () => {
    const sinceOf = (...steps: readonly Step[]) => after(...steps).state;
    expect(sinceOf(created)).toMatchObject({ since: START });
    expect(sinceOf(created, claimed, begun, progressed, ticked())).toMatchObject({
      status: 'started',
      since: START + 2 * STEP_MS,
    });
    expect(sinceOf(created, claimed, retried())).toMatchObject({ since: START + 2 * STEP_MS });
    expect(sinceOf(created, claimed, begun, completed, synced)).toMatchObject({ since: START + 4 * STEP_MS });
    expect(sinceOf(created, deleted, deleted)).toMatchObject({ status: 'deleting', since: START + STEP_MS });
  });
});

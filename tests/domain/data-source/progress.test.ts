import { describe, expect, it } from 'vitest';
import {
  type DataSourceEvent,
  type DataSourceState,
  dataSource,
  JOB_LIMIT,
  MANAGED_SILENCE_LIMIT,
} from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  COUNTS,
  created,
  handedOff,
  holderOf,
  lost,
  next,
  progressed,
  reconciled,
  STEP_MS,
  type Step,
} from './job-steps.ts';

/** The events of a holder that reports every `interval` for `duration`. */
const reporting = (from: DataSourceState, start: number, interval: number, duration: number) => {
  const events: DataSourceEvent[] = [];
  let state = from;
  for (let at = start; at <= start + duration; at += interval) {
    const more = dataSource.decide(progressed(state, at), state);
    events.push(...more);
    state = fold(dataSource, more, state);
  }
  return events;
};

describe.each([
  ['a worker', [created, claimed, begun]],
  ['an executor outside', [created, handedOff]],
  [
    'one that was lost before it began, and found at work',
    [created, claimed, canceled, lost, reconciled('managed')],
  ],
])('progress of %s', (_, steps) => {
  const history = after(...steps);
  const begin = history.events.at(-1)?.at ?? 0;

  it('is recorded from 2 s after the start, and at most every 2 s', () => {
    expect(next(history, progressed, 1_999)).toStrictEqual([]);
    expect(next(history, progressed, 2_000)).toMatchObject([{ type: 'JobProgressed' }]);
    const minute = reporting(history.state, begin, 100, 60_000);
    expect(minute.map(({ at }) => at - begin)).toStrictEqual(
      Array.from({ length: 30 }, (__, i) => 2_000 * (i + 1)),
    );
  });

  it('is recorded ever more rarely, so that 24 hours stay under 720 events', () => {
    expect(reporting(history.state, begin, 100, JOB_LIMIT).length).toBeLessThan(720);
    expect(reporting(history.state, begin, 60_000, JOB_LIMIT).length).toBeGreaterThan(250);
  });

  it('is never so rare that a steady reporter looks silent', () => {
    const week = reporting(history.state, begin, 60_000, 7 * JOB_LIMIT).map(({ at }) => at);
    const gaps = week.map((at, i) => at - (week[i - 1] ?? begin));
    expect(Math.max(...gaps)).toBeLessThan(MANAGED_SILENCE_LIMIT / 2);
  });

  it('of a time before the newest report is left out', () => {
    const reported = after(...steps, progressed);
    expect(next(reported, progressed, -STEP_MS)).toStrictEqual([]);
  });
});

describe('counts', () => {
  it('are the sum of their parts, whatever total the holder reports', () => {
    const counts = { ...COUNTS, seen: 99 };
    const report: Step = (state, at) => ({ type: 'progress', ...holderOf(state), counts, at });
    const end: Step = (state, at) => ({ type: 'complete', ...holderOf(state), counts, at });
    const history = after(created, claimed, begun);
    expect(next(history, report)).toMatchObject([{ type: 'JobProgressed', counts: COUNTS }]);
    expect(next(history, end)).toMatchObject([{ type: 'JobSucceeded', counts: COUNTS }]);
  });
});

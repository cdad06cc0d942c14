import { describe, expect, it } from 'vitest';
import {
  type DataSourceEvent,
  type DataSourceState,
  dataSource,
  JOB_LIMIT,
} from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  created,
  handedOff,
  lost,
  next,
  progressed,
  reconciled,
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
});

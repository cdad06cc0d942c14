import { describe, expect, it } from 'vitest';
import { type DataSourceState, dataSource, NOBODY } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  completed,
  created,
  createdWaiting,
  failed,
  handedOff,
  holderOf,
  type JobHistory,
  lost,
  next,
  progressed,
  reconciled,
  retried,
  type Step,
  stopped,
  synced,
} from './job-steps.ts';

/** Everything that the holder of a job writes. */
const WRITES: readonly (readonly [string, Step])[] = [
  ['begin', begun],
  ['progress', progressed],
  ['complete', completed],
  ['fail', failed],
  ['retry', retried()],
  ['retry after an orderly stop', retried('worker_stopped')],
  ['cancel_done', stopped()],
];

/** The same write by somebody who held the data source in an earlier state. */
const asOf =
  (then: DataSourceState, step: Step): Step =>
  (_, at) =>
    step(then, at);

/** The writes that are not refused as a conflict when they come with another job or epoch. */
const passing = (history: JobHistory, holder: Partial<ReturnType<typeof holderOf>>): readonly string[] =>
  WRITES.filter(
    ([, step]) =>
      refusalOf(() => next(history, (state, at) => ({ ...step(state, at), ...holder }))) !== 'conflict',
  ).map(([name]) => name);

const HELD: readonly (readonly [string, readonly Step[]])[] = [
  ['starting', [claimed]],
  ['started', [claimed, begun]],
  ['canceling', [claimed, begun, canceled]],
  ['managed', [handedOff]],
];

describe('a job held by a worker', () => {
  it.each(HELD)('in %s refuses every write of an older epoch', (_, steps) => {
    const history = after(created, claimed, retried(), ...steps);
    expect(passing(history, { epoch: 1 })).toStrictEqual([]);
    expect(passing(history, { epoch: NOBODY })).toStrictEqual([]);
  });

  it.each(HELD)('in %s refuses every write of an epoch that is not given yet', (_, steps) => {
    expect(passing(after(created, ...steps), { epoch: 2 })).toStrictEqual([]);
  });

  it.each(HELD)('in %s refuses every write about another job', (_, steps) => {
    expect(passing(after(created, ...steps), { jobId: 'job-of-yesterday' })).toStrictEqual([]);
  });

  it('gives every claim and every hand-over a higher epoch', () => {
    const { events } = after(
      created,
      claimed,
      retried(),
      claimed,
      retried(),
      handedOff,
      completed,
      synced,
      claimed,
    );
    expect(events.flatMap((event) => ('epoch' in event ? [event.epoch] : []))).toStrictEqual([1, 2, 3, 4]);
  });
});

describe('a worker that lost its job', () => {
  const held = after(created, claimed, begun).state;
  const requeued = after(created, claimed, begun, retried());

  it.each(WRITES)('cannot %s while the job waits for its next attempt', (_, step) => {
    expect(refusalOf(() => next(requeued, asOf(held, step)))).toBe('conflict');
  });

  it.each(WRITES)('cannot %s once another worker has it', (_, step) => {
    const claimedAgain = after(created, claimed, begun, retried(), claimed, begun);
    expect(refusalOf(() => next(claimedAgain, asOf(held, step)))).toBe('conflict');
  });

  it.each(WRITES)('cannot %s once an executor outside has it', (_, step) => {
    const managed = after(created, claimed, begun, retried(), handedOff);
    expect(refusalOf(() => next(managed, asOf(held, step)))).toBe('conflict');
  });

  it.each(WRITES)('cannot %s when the next job waits', (_, step) => {
    const nextJob = after(created, claimed, begun, completed, synced);
    expect(refusalOf(() => next(nextJob, asOf(held, step)))).toBe('conflict');
  });
});

describe('an executor outside', () => {
  it('may not write about a job that was taken from it and queued again', () => {
    const held = after(created, handedOff).state;
    const queuedAgain = after(created, handedOff, lost, synced);
    for (const [, step] of WRITES)
      expect(refusalOf(() => next(queuedAgain, asOf(held, step)))).toBe('conflict');
  });

  it('goes on with its token after it was found again', () => {
    const found = after(created, handedOff, lost, reconciled('managed'));
    expect(next(found, completed)).toMatchObject([{ type: 'JobSucceeded' }]);
  });
});

describe('a waiting job', () => {
  it.each([
    ['before the queue', createdWaiting],
    ['in the queue', created],
  ])('%s is failed in nobody’s name only', (_, registration) => {
    const history = after(registration);
    expect(next(history, failed)).toMatchObject([{ type: 'JobFailed', code: 'not_reachable' }]);
    const byWorker: Step = (state, at) => ({ ...failed(state, at), epoch: 1 });
    expect(refusalOf(() => next(history, byWorker))).toBe('conflict');
    const other: Step = (state, at) => ({ ...failed(state, at), jobId: 'other' });
    expect(refusalOf(() => next(history, other))).toBe('conflict');
  });

  it('is the same job before and after it enters the queue', () => {
    const { state } = after(createdWaiting);
    const queued = fold(dataSource, next({ events: [], state }, synced), state);
    expect(holderOf(queued).jobId).toBe(holderOf(state).jobId);
  });
});

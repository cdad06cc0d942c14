import { describe, expect, it } from 'vitest';
import { type DataSourceState, dataSource } from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';
import {
  after,
  begun,
  completed,
  created,
  createdWaiting,
  failed,
  handedOff,
  holderOf,
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

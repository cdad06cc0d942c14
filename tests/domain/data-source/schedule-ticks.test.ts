import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../support/decisions.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  completed,
  created,
  createdWaiting,
  deleted,
  failed,
  handedOff,
  lost,
  next,
  purged,
  purgeFailed,
  START,
  STEP_MS,
  type Step,
  ticked,
} from './job-steps.ts';

const DUE = START + 10 * STEP_MS;
const done: readonly Step[] = [created, claimed, begun, completed];

describe('a tick of the schedule', () => {
  it.each([
    ['succeeded', done],
    ['failed', [created, failed]],
    ['was canceled', [created, canceled]],
    ['is unknown', [created, handedOff, lost]],
  ])('queues an incremental job when the last one %s', (_, steps) => {
    const history = after(...steps);
    const at = START + steps.length * STEP_MS;
    expect(next(history, ticked(DUE))).toStrictEqual([
      {
        type: 'JobQueued',
        jobId: `job-${at}`,
        attempt: 1,
        trigger: 'schedule',
        mode: 'incremental',
        generation: 2,
        dueAt: DUE,
        at,
      },
    ]);
  });

  it.each([
    ['waiting', [createdWaiting]],
    ['queued', [created]],
    ['managed', [created, handedOff]],
    ['starting', [created, claimed]],
    ['started', [created, claimed, begun]],
    ['canceling', [created, claimed, canceled]],
  ])('is skipped and recorded while the job is %s', (_, steps) => {
    expect(next(after(...steps), ticked(DUE))).toMatchObject([{ type: 'ScheduleTickSkipped', dueAt: DUE }]);
  });

  it.each([
    ['being deleted', [created, deleted]],
    ['not deletable', [created, deleted, purgeFailed]],
    ['removed', [created, deleted, purged]],
  ])('leaves no trace when the data source is %s', (_, steps) => {
    expect(next(after(...steps), ticked(DUE))).toStrictEqual([]);
  });

  it('is refused for a data source that does not exist', () => {
    expect(refusalOf(() => next(after(), ticked(DUE)))).toBe('conflict');
  });

  it('is handled once, whoever sends it how often', () => {
    const queued = after(...done, ticked(DUE));
    expect(next(queued, ticked(DUE))).toStrictEqual([]);
    expect(next(after(...done, ticked(DUE), claimed, begun, completed), ticked(DUE))).toStrictEqual([]);
    expect(next(after(created, ticked(DUE)), ticked(DUE))).toStrictEqual([]);
    expect(next(after(created, ticked(DUE), claimed, begun, completed), ticked(DUE))).toStrictEqual([]);
  });

  it('is not handled after a later one', () => {
    const history = after(...done, ticked(DUE), claimed, begun, completed);
    expect(next(history, ticked(DUE - 1))).toStrictEqual([]);
    expect(next(history, ticked(DUE + 1))).toMatchObject([
      { type: 'JobQueued', dueAt: DUE + 1, generation: 3 },
    ]);
  });

  it('stands for every occurrence up to the time at which it was handled', () => {
    const late = START - 3_600_000;
    const history = after(...done, ticked(late), canceled);
    const handled = START + done.length * STEP_MS;
    expect(next(history, ticked(late + 60_000))).toStrictEqual([]);
    expect(next(history, ticked(handled))).toStrictEqual([]);
    expect(next(history, ticked(handled + 1))).toMatchObject([{ type: 'JobQueued', dueAt: handled + 1 }]);
  });

  it('stays handled when a job was queued by hand in between', () => {
    const history = after(
      ...done,
      ticked(DUE),
      canceled,
      (_, at) => ({
        type: 'enqueue',
        jobId: 'job-by-hand',
        trigger: 'sync',
        mode: 'full',
        at,
      }),
      canceled,
    );
    expect(next(history, ticked(DUE))).toStrictEqual([]);
  });
});

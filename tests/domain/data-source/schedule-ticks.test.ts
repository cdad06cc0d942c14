import { describe, expect, it } from 'vitest';
import {
  after,
  begun,
  canceled,
  claimed,
  completed,
  created,
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
    ['being deleted', [created, deleted]],
    ['not deletable', [created, deleted, purgeFailed]],
    ['removed', [created, deleted, purged]],
  ])('leaves no trace when the data source is %s', (_, steps) => {
    expect(next(after(...steps), ticked(DUE))).toStrictEqual([]);
  });

  it('is handled once, whoever sends it how often', () => {
    const queued = after(...done, ticked(DUE));
    expect(next(queued, ticked(DUE))).toStrictEqual([]);
    expect(next(after(...done, ticked(DUE), claimed, begun, completed), ticked(DUE))).toStrictEqual([]);
    expect(next(after(created, ticked(DUE)), ticked(DUE))).toStrictEqual([]);
    expect(next(after(created, ticked(DUE), claimed, begun, completed), ticked(DUE))).toStrictEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  backOff,
  dataSource,
  type DataSourceCommand,
  MAX_ATTEMPTS,
  statusAfter,
} from '../../../domain/data-source/index.ts';
import { refusalOf } from '../../support/decisions.ts';
import {
  after,
  begun,
  canceled,
  claimed,
  completed,
  COUNTS,
  created,
  createdWaiting,
  deleted,
  ERROR,
  failed,
  handedOff,
  lost,
  next,
  postponed,
  progressed,
  purged,
  purgeFailed,
  reconciled,
  retried,
  START,
  type Step,
  STEP_MS,
  stopped,
  SUBJECT,
  synced,
  TO_LAST_ATTEMPT,
} from './job-steps.ts';

const JOB = `job-${START}`;
const at = (steps: number): number => START + steps * STEP_MS;

describe('a new data source', () => {
  it('is registered and queued by one command', () => {
    const { events } = after(created);
    const { subject, ingestionSettingId } = { subject: SUBJECT, ingestionSettingId: 'setting-1' };
    const metadata = [{ key: 'team', val: 'search' }];
    expect(events).toStrictEqual([
      { type: 'DataSourceRegistered', subject, ingestionSettingId, metadata, jobId: JOB, at: START },
      {
        type: 'JobQueued',
        jobId: JOB,
        attempt: 1,
        trigger: 'create',
        mode: 'full',
        generation: 1,
        at: START,
      },
    ]);
  });

  it('looks at the units alone that its first job names, and the next job at everything', () => {
    const named: Step = (state, when) =>
      ({ ...synced(state, when), locators: ['a', 'b'] }) as DataSourceCommand;
    const history = after(createdWaiting, named);
    expect(history.events.at(-1)).toMatchObject({ type: 'JobQueued', locators: ['a', 'b'] });
    expect(history.state).toMatchObject({ job: { locators: ['a', 'b'] } });
    const { events, state } = after(createdWaiting, named, canceled, synced);
    expect(events.at(-1)).not.toHaveProperty('locators');
    expect(state).not.toHaveProperty('job.locators');
  });

  it('waits outside the queue until it is ready, as job 1 all along', () => {
    const { events } = after(createdWaiting, synced);
    expect(events).toMatchObject([
      { type: 'DataSourceRegistered', jobId: JOB },
      { type: 'JobQueued', jobId: JOB, generation: 1, trigger: 'sync', mode: 'incremental', at: at(1) },
    ]);
  });

  it.each([
    ['queued', [created]],
    ['waiting', [createdWaiting]],
    ['being deleted', [created, deleted]],
    ['removed', [created, deleted, purged]],
  ])('is not registered again by a repeated request once it is %s', (_, steps) => {
    expect(next(after(...steps), created)).toStrictEqual([]);
  });

  it('takes no sync before it is registered', () => {
    expect(refusalOf(() => next(after(), synced))).toBe('not_found');
  });
});

describe('cancel', () => {
  it('names the job that waited', () => {
    expect(next(after(createdWaiting), canceled)).toStrictEqual([
      { type: 'JobCanceled', jobId: JOB, by: 'caller', at: at(1) },
    ]);
  });

  it('only asks while somebody works on the job', () => {
    expect(next(after(created, claimed), canceled)).toStrictEqual([
      { type: 'JobCancelRequested', jobId: JOB, at: at(2) },
    ]);
  });

  it('loses to a job that finished before it saw the request', () => {
    expect(next(after(created, claimed, begun, canceled), completed)).toStrictEqual([
      {
        type: 'JobSucceeded',
        jobId: JOB,
        counts: COUNTS,
        generation: 1,
        afterCancelRequest: true,
        at: at(4),
      },
    ]);
  });

  it('is not said of a job that finished without one', () => {
    const finished = next(after(created, claimed, begun), completed);
    expect(finished).toMatchObject([{ type: 'JobSucceeded', afterCancelRequest: false }]);
    const second = after(created, claimed, begun, canceled, completed, synced, claimed, begun);
    expect(next(second, completed)).toMatchObject([{ afterCancelRequest: false, generation: 2 }]);
  });

  it.each([
    ['an error', failed, 'worker'],
    ['an error that another attempt might mend', retried('transient_error'), 'worker'],
    ['a limit that was passed', retried('timed_out'), 'timeout'],
  ])('turns %s while stopping into canceled, with the error kept', (_, step, by) => {
    expect(next(after(created, claimed, begun, canceled), step)).toStrictEqual([
      { type: 'JobCanceled', jobId: JOB, by, error: ERROR, at: at(4) },
    ]);
  });

  it.each([
    ['an orderly stop of the worker', 'worker_stopped', 'worker'],
    ['the loss of the worker', 'worker_lost', 'worker_lost'],
  ] as const)('is what %s leads to: nothing failed, and the event says by whom', (_, reason, by) => {
    for (const steps of [[claimed], [claimed, begun]]) {
      const history = after(created, ...steps, canceled);
      expect(next(history, retried(reason))).toStrictEqual([
        { type: 'JobCanceled', jobId: JOB, by, at: at(steps.length + 2) },
      ]);
    }
  });

  it.each(['worker', 'timeout'] as const)('ends by the %s', (by) => {
    expect(next(after(created, claimed, canceled), stopped(by))).toStrictEqual([
      { type: 'JobCanceled', jobId: JOB, by, at: at(3) },
    ]);
  });
});

describe('a job that breaks down', () => {
  it('is queued again twice, after 10 s and after 60 s, and then fails with the reason', () => {
    const first = next(after(created, claimed, begun), retried('transient_error'));
    const [, , second] = after(created, claimed, retried(), claimed, retried()).events.filter(
      ({ type }) => type !== 'JobClaimed',
    );
    expect(first).toStrictEqual([
      {
        type: 'JobRequeued',
        jobId: JOB,
        reason: 'transient_error',
        attempt: 2,
        notBefore: at(3) + 10_000,
        error: ERROR,
        at: at(3),
      },
    ]);
    expect(second).toMatchObject({ type: 'JobRequeued', attempt: 2 });
    const third = after(created, ...TO_LAST_ATTEMPT).events.at(-1);
    expect(third).toMatchObject({ type: 'JobRequeued', attempt: 3, notBefore: (third?.at ?? 0) + 60_000 });
    expect(next(after(created, ...TO_LAST_ATTEMPT, claimed), retried('timed_out'))).toMatchObject([
      { type: 'JobFailed', jobId: JOB, error: ERROR, code: 'timed_out' },
    ]);
    expect([MAX_ATTEMPTS, backOff(1), backOff(2)]).toStrictEqual([3, 10_000, 60_000]);
  });

  it('is not claimed a millisecond before its back-off has passed', () => {
    const requeued = after(created, claimed, retried());
    expect(refusalOf(() => next(requeued, claimed, 9_999))).toBe('conflict');
    expect(next(requeued, claimed, 10_000)).toMatchObject([{ type: 'JobClaimed', epoch: 2 }]);
    const again = after(created, ...TO_LAST_ATTEMPT);
    expect(refusalOf(() => next(again, claimed, 59_999))).toBe('conflict');
    expect(next(again, claimed, 60_000)).toMatchObject([{ type: 'JobClaimed', epoch: 3 }]);
  });

  it('keeps its attempt and waits for nothing when the worker stopped in order, however often', () => {
    const stop = [claimed, begun, retried('worker_stopped')];
    const history = after(created, ...TO_LAST_ATTEMPT, ...stop, ...stop);
    expect(history.events.at(-1)).toMatchObject({
      type: 'JobRequeued',
      attempt: 3,
      reason: 'worker_stopped',
    });
    expect(next(history, claimed, 0)).toMatchObject([{ type: 'JobClaimed' }]);
  });

  it.each([
    ['as long as its provider asks', 3_600_000, 3_600_000],
    ['a day where its provider asks for more', 30 * 24 * 3_600_000, 24 * 3_600_000],
    ['a little where its provider asks for a time that is over', -5_000, 10_000],
  ])('keeps its attempt and waits %s', (_, asked, waits) => {
    const history = after(created, ...TO_LAST_ATTEMPT, claimed, begun, postponed(asked));
    expect(history.events.at(-1)).toMatchObject({
      type: 'JobRequeued',
      attempt: 3,
      reason: 'transient_error',
      error: ERROR,
    });
    expect(refusalOf(() => next(history, claimed, waits - 1))).toBe('conflict');
    expect(next(history, claimed, waits)).toMatchObject([{ type: 'JobClaimed' }]);
  });

  it('starts with all its attempts when it is queued as a new job', () => {
    const history = after(created, ...TO_LAST_ATTEMPT, claimed, retried(), synced);
    expect(history.state).toMatchObject({ status: 'queued', job: { attempt: 1, generation: 2 } });
    expect(next(history, claimed, 0)).toMatchObject([{ type: 'JobClaimed' }]);
  });

  it('keeps what the committed batches counted, and starts its time anew', () => {
    const { state } = after(created, claimed, begun, progressed, retried(), claimed);
    expect(state).toMatchObject({ job: { counts: COUNTS, startedAt: null, attempt: 2 } });
    const started = after(created, claimed, begun, retried(), claimed, begun);
    expect(started.events.at(-1)).toStrictEqual({ type: 'JobStarted', jobId: JOB, attempt: 2, at: at(5) });
    expect(started.state).toMatchObject({ job: { startedAt: at(5) } });
  });

  it('fails at once on a permanent error, whatever its attempt', () => {
    expect(next(after(created, claimed), failed)).toStrictEqual([
      { type: 'JobFailed', jobId: JOB, error: ERROR, code: 'not_reachable', at: at(2) },
    ]);
  });
});

describe('an executor outside', () => {
  it('takes a job that was never queued', () => {
    expect(next(after(createdWaiting), handedOff)).toStrictEqual([
      { type: 'JobHandedOff', jobId: JOB, executor: 'batch', externalId: 'run-7', epoch: 1, at: at(1) },
    ]);
    expect(next(after(createdWaiting, handedOff), progressed)).toMatchObject([
      { type: 'JobProgressed', jobId: JOB },
    ]);
    expect(next(after(createdWaiting, handedOff), canceled)).toMatchObject([
      { type: 'JobCancelRequested', jobId: JOB },
    ]);
    expect(next(after(createdWaiting, handedOff), completed)).toMatchObject([
      { type: 'JobSucceeded', generation: 1 },
    ]);
  });

  it('is found again with what became of the job', () => {
    const silent = after(created, handedOff, lost);
    expect(silent.events.at(-1)).toStrictEqual({ type: 'JobStatusLost', jobId: JOB, at: at(2) });
    expect(next(silent, reconciled('failure'))).toStrictEqual([
      { type: 'JobStatusReconciled', jobId: JOB, status: 'failure', error: ERROR, at: at(3) },
    ]);
    expect(next(silent, reconciled('success'))).toStrictEqual([
      { type: 'JobStatusReconciled', jobId: JOB, status: 'success', at: at(3) },
    ]);
  });
});

describe('deletion', () => {
  it.each([
    ['waiting', [createdWaiting], JOB],
    ['queued', [created], JOB],
    ['running', [created, claimed, begun], JOB],
    ['canceling', [created, claimed, canceled], JOB],
    ['silent', [created, handedOff, lost], JOB],
    ['finished', [created, claimed, begun, completed], null],
    ['not deletable at the first try', [created, claimed, deleted, purgeFailed], null],
  ])('names the job that it interrupts when it was %s', (_, steps, interruptedJobId) => {
    const history = after(...steps);
    expect(next(history, deleted)).toStrictEqual([
      { type: 'DataSourceDeletionRequested', interruptedJobId, at: at(steps.length) },
    ]);
  });

  it('records what the purge removed, or why it could not', () => {
    expect(next(after(created, deleted), purged)).toStrictEqual([
      { type: 'DataSourceDeleted', contents: 3, sources: 2, bytes: 1024, at: at(2) },
    ]);
    expect(next(after(created, deleted), purgeFailed)).toStrictEqual([
      { type: 'DataSourceDeletionFailed', error: ERROR, at: at(2) },
    ]);
  });

  it('needs a registration before every other event', () => {
    const orphan = { type: 'JobStatusLost', jobId: JOB, at: START } as const;
    expect(() => dataSource.evolve(dataSource.initial, orphan)).toThrow('before DataSourceRegistered');
  });
});

describe('the status after an event', () => {
  it('is unknown when the event changes nothing and none came before', () => {
    const skipped = { type: 'ScheduleTickSkipped', dueAt: START, at: START } as const;
    expect(statusAfter(skipped, null)).toBe('unknown');
    expect(statusAfter(skipped, 'started')).toBe('started');
  });
});

import { describe, expect, it } from 'vitest';
import {
  backOff,
  type DataSourceCommand,
  MAX_ATTEMPTS,
  DELETION_RETRY_LIMIT,
  DELETION_REST_PERIOD,
  isDueAgain,
  deletionDelayAfter,
} from '../../../domain/data-source/index.ts';
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
  ERROR,
  failed,
  handedOff,
  lost,
  next,
  postponed,
  purged,
  purgeFailed,
  reconciled,
  retried,
  START,
  type Step,
  STEP_MS,
  SUBJECT,
  synced,
  TO_LAST_ATTEMPT,
  progressed,
  ticked,
} from './job-steps.ts';
import fc from 'fast-check';

const JOB = `job-${START}`;
const timeOf = (steps: number): number => START + steps * STEP_MS;

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

  it.each([
    ['queued', [created]],
    ['waiting', [createdWaiting]],
    ['being deleted', [created, deleted]],
    ['removed', [created, deleted, purged]],
  ])('is not registered again by a repeated request once it is %s', (_, steps) => {
    expect(next(after(...steps), created)).toStrictEqual([]);
  });
});

describe('cancel', () => {
  it('names the job that waited', () => {
    expect(next(after(createdWaiting), canceled)).toStrictEqual([
      { type: 'JobCanceled', jobId: JOB, by: 'caller', at: timeOf(1) },
    ]);
  });

  it.each([
    ['an error', failed, 'worker'],
    ['an error that another attempt might mend', retried('transient_error'), 'worker'],
    ['a limit that was passed', retried('timed_out'), 'timeout'],
  ])('turns %s while stopping into canceled, with the error kept', (_, step, by) => {
    expect(next(after(created, claimed, begun, canceled), step)).toStrictEqual([
      { type: 'JobCanceled', jobId: JOB, by, error: ERROR, at: timeOf(4) },
    ]);
  });

  it.each([
    ['an orderly stop of the worker', 'worker_stopped', 'worker'],
    ['the loss of the worker', 'worker_lost', 'worker_lost'],
  ] as const)('is what %s leads to: nothing failed, and the event says by whom', (_, reason, by) => {
    for (const steps of [[claimed], [claimed, begun]]) {
      const history = after(created, ...steps, canceled);
      expect(next(history, retried(reason))).toStrictEqual([
        { type: 'JobCanceled', jobId: JOB, by, at: timeOf(steps.length + 2) },
      ]);
    }
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
        notBefore: timeOf(3) + 10_000,
        error: ERROR,
        at: timeOf(3),
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
});

describe('an executor outside', () => {
  it('is found again with what became of the job', () => {
    const silent = after(created, handedOff, lost);
    expect(silent.events.at(-1)).toStrictEqual({ type: 'JobStatusLost', jobId: JOB, at: timeOf(2) });
    expect(next(silent, reconciled('failure'))).toStrictEqual([
      { type: 'JobStatusReconciled', jobId: JOB, status: 'failure', error: ERROR, at: timeOf(3) },
    ]);
    expect(next(silent, reconciled('success'))).toStrictEqual([
      { type: 'JobStatusReconciled', jobId: JOB, status: 'success', at: timeOf(3) },
    ]);
  });
});

describe('deletion', () => {
  it.each([
    ['waiting', [createdWaiting], JOB],
    ['queued', [created], JOB],
    ['canceling', [created, claimed, canceled], JOB],
    ['silent', [created, handedOff, lost], JOB],
    ['finished', [created, claimed, begun, completed], null],
    ['not deletable at the first try', [created, claimed, deleted, purgeFailed], null],
  ])('names the job that it interrupts when it was %s', (_, steps, interruptedJobId) => {
    const history = after(...steps);
    expect(next(history, deleted)).toStrictEqual([
      { type: 'DataSourceDeletionRequested', interruptedJobId, at: timeOf(steps.length) },
    ]);
  });
});

const HOUR = 3_600_000;

/** Every try fails for what may pass, and takes `tryMs`; the first one is `lateMs` after the request. */
const pausesOf = (
  tryMs: number,
  lateMs: number,
): { readonly pauses: readonly number[]; readonly end: number } => {
  const pauses: number[] = [];
  let at = START + lateMs;
  for (let attempts = 1; ; attempts += 1) {
    at += tryMs;
    const pause = deletionDelayAfter({ transient: true, attempts, permanentFailures: 0, since: START, at });
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
    expect(end - START).toBeGreaterThanOrEqual(DELETION_RETRY_LIMIT);
    expect(end - START).toBeLessThan(DELETION_RETRY_LIMIT + 600_000);
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
    const failure = { transient: true, attempts: 1_000, permanentFailures: 0, since: START };
    expect(deletionDelayAfter({ ...failure, at: START + HOUR - 1 })).toBe(600_000);
    expect(deletionDelayAfter({ ...failure, at: START + HOUR })).toBeNull();
  });

  it('for what waiting does not mend is given up at the third, after 10 s and 60 s', () => {
    const failure = { transient: false, attempts: 40, since: START, at: START + 30 * HOUR };
    expect(
      [1, 2, 3].map((permanentFailures) => deletionDelayAfter({ ...failure, permanentFailures })),
    ).toEqual([10_000, 60_000, null]);
  });

  it('and that is given up, is taken up again a day after', () => {
    const { state } = after(created, deleted, purgeFailed);
    const failedAt = START + 2 * STEP_MS;
    expect(isDueAgain(state, failedAt + DELETION_REST_PERIOD - 1)).toBe(false);
    expect(isDueAgain(state, failedAt + DELETION_REST_PERIOD)).toBe(true);
    for (const others of [[created], [created, deleted], [created, deleted, purgeFailed, deleted]]) {
      expect(isDueAgain(after(...others).state, START + 1_000 * DELETION_REST_PERIOD)).toBe(false);
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

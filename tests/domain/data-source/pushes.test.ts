import { describe, expect, it } from 'vitest';
import {
  dataSource,
  type ExistingDataSource,
  JOB_STATUSES,
  mustBePush,
  mustTakeDocuments,
} from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { refusalOf } from '../../support/decisions.ts';
import {
  after,
  canceled,
  claimed,
  completed,
  COUNTS,
  created,
  createdWaiting,
  deleted,
  failed,
  handedOff,
  lost,
  next,
  purged,
  purgeFailed,
  reconciled,
  retried,
  type Step,
  synced,
} from './job-steps.ts';

const executor = { executor: 'feeder', externalId: 'run-8' };
const outside =
  (step: Step): Step =>
  (state, at) => {
    const command = step(state, at);
    if (command.type !== 'enqueue') throw new Error('no job is queued by this');
    return { ...command, executor };
  };
const begun = outside(created);
const again = outside(synced);

/** What leads to a status, and what a job for an executor leads to there: events, or the code of a refusal. */
const TABLE: Readonly<
  Record<string, readonly [history: readonly Step[], outcome: readonly string[] | string]>
> = {
  not_started: [[createdWaiting], ['JobQueued', 'JobHandedOff']],
  queued: [[created], []],
  managed: [[begun], []],
  starting: [[created, claimed], []],
  started: [[created, claimed, (state, at) => ({ ...holder(state), type: 'begin', at })], []],
  success: [
    [begun, completed],
    ['JobQueued', 'JobHandedOff'],
  ],
  failure: [
    [begun, failed],
    ['JobQueued', 'JobHandedOff'],
  ],
  canceling: [[begun, canceled], 'conflict'],
  canceled: [
    [created, canceled],
    ['JobQueued', 'JobHandedOff'],
  ],
  unknown: [
    [begun, lost],
    ['JobQueued', 'JobHandedOff'],
  ],
  deleting: [[begun, deleted], 'source_deleting'],
  delete_job_failure: [[begun, deleted, purgeFailed], 'source_deleting'],
  removed: [[begun, deleted, purged], 'not_found'],
};
const holder = (state: Parameters<Step>[0]) => {
  if (state.status === 'none') throw new Error('there is no job');
  return { jobId: state.job.jobId, epoch: state.epoch };
};

describe('a job that is done outside', () => {
  it('is asked for in every status', () => {
    expect(Object.keys(TABLE).toSorted()).toStrictEqual([...JOB_STATUSES, 'removed'].toSorted());
  });

  it.each(Object.entries(TABLE))('in %s', (status, [steps, outcome]) => {
    const history = after(...steps);
    expect(history.state.status).toBe(status);
    const code = refusalOf(() => next(history, again));
    const led = code ?? next(history, again).map(({ type }) => type);
    expect(led).toStrictEqual(outcome);
  });

  it('is managed from its first event on, which no worker can come before', () => {
    const history = after(begun);
    expect(history.events.map(({ type }) => type)).toStrictEqual([
      'DataSourceRegistered',
      'JobQueued',
      'JobHandedOff',
    ]);
    expect(history.state).toMatchObject({ status: 'managed', epoch: 1 });
    expect(refusalOf(() => next(history, claimed))).toBe('conflict');
    expect(refusalOf(() => next(history, handedOff))).toBe('conflict');
    expect(refusalOf(() => next(history, retried()))).toBe('conflict');
  });

  it('has a fencing token above that of the job before it', () => {
    const history = after(begun, completed, again);
    expect(history.state).toMatchObject({ status: 'managed', epoch: 2, job: { generation: 2 } });
    const late: Step = (_, at) => ({ type: 'complete', jobId: 'job-1', epoch: 1, counts: COUNTS, at });
    expect(refusalOf(() => next(history, late))).toBe('conflict');
  });

  it('tells what it had done when it is found again after a silence', () => {
    const silent = after(begun, lost);
    const found: Step = (state, at) =>
      ({
        ...reconciled('success')(state, at),
        counts: { ...COUNTS, seen: 0 },
      }) as ReturnType<Step>;
    const events = next(silent, found);
    expect(events).toMatchObject([{ type: 'JobStatusReconciled', status: 'success', counts: COUNTS }]);
    expect(fold(dataSource, events, silent.state)).toMatchObject({
      status: 'success',
      job: { counts: COUNTS },
    });
  });
});

describe('documents of a push', () => {
  const refusals: Readonly<Record<string, string | null>> = {
    not_started: 'conflict',
    queued: 'conflict',
    managed: null,
    starting: 'conflict',
    started: 'conflict',
    success: 'conflict',
    failure: 'conflict',
    canceling: 'conflict',
    canceled: 'conflict',
    unknown: null,
    deleting: 'source_deleting',
    delete_job_failure: 'source_deleting',
    removed: 'not_found',
  };
  const found = (status: string, subject: ExistingDataSource['subject']): ExistingDataSource => {
    const { state } = after(...(TABLE[status]?.[0] ?? []));
    if (state.status === 'none') throw new Error(`${status} is in no row`);
    return { ...state, subject };
  };
  const push = { kind: 'push' } as const;

  it.each(Object.keys(TABLE))('are taken while a job is under way, or refused: %s', (status) => {
    expect(refusalOf(() => mustTakeDocuments(found(status, push)))).toBe(refusals[status]);
  });

  it('are of a push that is there, and of nothing else', () => {
    const asked = (status: string, subject: ExistingDataSource['subject']) =>
      refusalOf(() => mustBePush(found(status, subject)));
    expect(asked('deleting', push)).toBeNull();
    expect(asked('removed', push)).toBe('not_found');
    expect(asked('managed', { kind: 'local_file_group' })).toBe('conflict');
    expect(refusalOf(() => mustTakeDocuments(found('managed', { kind: 'local_file_group' })))).toBe(
      'conflict',
    );
  });
});

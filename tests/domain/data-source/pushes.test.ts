import { describe, expect, it } from 'vitest';
import {
  dataSource,
  type ExistingDataSource,
  mustBePush,
  mustTakeDocuments,
  mustTakeFiles,
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
  lost,
  next,
  purged,
  purgeFailed,
  reconciled,
  type Step,
  synced,
  begun,
  handedOff,
  retried,
  stopped,
} from './job-steps.ts';

describe('pushes', () => {
  const executor = { executor: 'feeder', externalId: 'run-8' };
  const outside =
    (step: Step): Step =>
    (state, at) => {
      const command = step(state, at);
      if (command.type !== 'enqueue') throw new Error('no job is queued by this');
      return { ...command, executor };
    };
  const registered = outside(created);

  /** What leads to a status, and how documents are refused there. */
  const TABLE: Readonly<Record<string, readonly [history: readonly Step[], refusal: string | null]>> = {
    not_started: [[createdWaiting], 'conflict'],
    queued: [[created], 'conflict'],
    managed: [[registered], null],
    starting: [[created, claimed], 'conflict'],
    started: [[created, claimed, begun], 'conflict'],
    success: [[registered, completed], 'conflict'],
    failure: [[registered, failed], 'conflict'],
    canceling: [[registered, canceled], 'conflict'],
    canceled: [[created, canceled], 'conflict'],
    unknown: [[registered, lost], null],
    deleting: [[registered, deleted], 'source_deleting'],
    delete_job_failure: [[registered, deleted, purgeFailed], 'source_deleting'],
    removed: [[registered, deleted, purged], 'not_found'],
  };

  describe('a job that is done outside', () => {
    it('tells what it had done when it is found again after a silence', () => {
      const silent = after(registered, lost);
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
    const found = (status: string, subject: ExistingDataSource['subject']): ExistingDataSource => {
      const { state } = after(...(TABLE[status]?.[0] ?? []));
      if (state.status === 'none') throw new Error(`${status} is in no row`);
      return { ...state, subject };
    };
    const push = { kind: 'push' } as const;

    it.each(Object.entries(TABLE))(
      'are taken while a job is under way, or refused: %s',
      (status, [, refusal]) => {
        expect(refusalOf(() => mustTakeDocuments(found(status, push)))).toBe(refusal);
      },
    );

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
});

describe('files that are put into a group', () => {
  /** The registration of a group, whose first files are on their way. */
  const opened: Step = (state, at) => {
    const command = createdWaiting(state, at);
    if (command.type !== 'enqueue' || command.registration === undefined) throw new Error('no registration');
    return { ...command, registration: { ...command.registration, subject: { kind: 'local_file_group' } } };
  };
  const uploaded =
    (jobId: string): Step =>
    (_, at) => ({
      type: 'add_files',
      jobId,
      list: { sha256: 'a'.repeat(64), bytes: 300 },
      added: 2,
      replaced: 0,
      bytes: 1_000,
      at,
    });
  const first: Step = (state, at) => uploaded(state.status === 'none' ? '' : state.job.jobId)(state, at);

  /** What leads to a status, and what an upload leads to there: events, or the code of a refusal. */
  const TABLE: Readonly<
    Record<string, readonly [history: readonly Step[], outcome: readonly string[] | string]>
  > = {
    not_started: [[opened], 'conflict'],
    queued: [[opened, first], ['FilesUploaded']],
    managed: [[opened, first, handedOff], ['FilesUploaded']],
    starting: [[opened, first, claimed], ['FilesUploaded']],
    started: [[opened, first, claimed, begun], ['FilesUploaded']],
    success: [
      [opened, first, claimed, begun, completed],
      ['FilesUploaded', 'JobQueued'],
    ],
    failure: [
      [opened, first, failed],
      ['FilesUploaded', 'JobQueued'],
    ],
    canceling: [[opened, first, claimed, canceled], ['FilesUploaded']],
    canceled: [
      [opened, first, canceled],
      ['FilesUploaded', 'JobQueued'],
    ],
    unknown: [
      [opened, first, handedOff, lost],
      ['FilesUploaded', 'JobQueued'],
    ],
    deleting: [[opened, first, deleted], 'source_deleting'],
    delete_job_failure: [[opened, first, deleted, purgeFailed], 'source_deleting'],
    removed: [[opened, first, deleted, purged], 'conflict'],
  };

  it.each(Object.entries(TABLE))('while it is %s', (status, [steps, outcome]) => {
    const history = after(...steps);
    expect(history.state.status).toBe(status);
    let types: readonly string[] = [];
    const code = refusalOf(() => (types = next(history, uploaded('job-new')).map(({ type }) => type)));
    expect(code ?? types).toEqual(outcome);
  });

  it.each([
    ['starting', [first, claimed], 'job-new'],
    ['started', [first, claimed, begun], 'job-new'],
    ['canceling', [first, claimed, canceled], 'job-new'],
    ['managed', [first, handedOff], 'job-new'],
    ['queued', [first], null],
    ['success', [first, claimed, begun, completed], null],
  ] as const)('owe one more job while one is %s: %j', (_, steps, followUp) => {
    expect(after(opened, ...steps, uploaded('job-new')).state).toMatchObject({ uploaded: { followUp } });
  });

  it('begin its first job, which was registered with it', () => {
    const events = next(after(opened), first);
    expect(events).toMatchObject([
      { type: 'FilesUploaded' },
      { type: 'JobQueued', trigger: 'create', mode: 'full', generation: 1 },
    ]);
    expect(events[1]).toMatchObject({ jobId: (events[0] as { jobId: string }).jobId });
  });

  it('are waited for: until the first have come no sync begins a job without them', () => {
    const history = after(opened);
    expect(refusalOf(() => next(history, synced))).toBe('conflict');
    expect(next(after(opened, first, claimed, begun, completed), synced)).toMatchObject([
      { type: 'JobQueued' },
    ]);
    expect(next(after(createdWaiting), synced)).toMatchObject([{ type: 'JobQueued' }]);
  });

  it('are of no other kind of data source', () => {
    expect(refusalOf(() => next(after(createdWaiting), first))).toBe('not_found');
    expect(after(createdWaiting, synced, claimed, canceled).state).not.toHaveProperty('uploaded');
  });

  it('are looked for in vain where the group is gone, before they are read', () => {
    const subject = { kind: 'local_file_group' } as const;
    expect(refusalOf(() => mustTakeFiles({ subject, status: 'removed' }))).toBe('not_found');
    expect(refusalOf(() => mustTakeFiles({ subject, status: 'delete_job_failure' }))).toBe('source_deleting');
    expect(refusalOf(() => mustTakeFiles({ subject, status: 'success' }))).toBeNull();
  });

  it.each([
    ['succeeds', [completed], 'JobSucceeded'],
    ['fails', [failed], 'JobFailed'],
    ['is lost for the last time', [retried(), claimed, retried(), claimed, retried()], 'JobFailed'],
  ] as const)('during a job are read by the next one, which is queued when that %s', (_, ending, last) => {
    const { events, state } = after(opened, first, claimed, begun, uploaded('job-next'), ...ending);
    expect(events.slice(-2)).toMatchObject([
      { type: last },
      { type: 'JobQueued', jobId: 'job-next', trigger: 'upload', mode: 'incremental', generation: 2 },
    ]);
    expect(state).toMatchObject({ status: 'queued', uploaded: { followUp: null } });
  });

  it('before a cancel go with the job, and those behind it are read', () => {
    const at = [opened, first, claimed, begun, uploaded('job-next'), canceled] as const;
    expect(after(...at, stopped()).state).toMatchObject({ status: 'canceled' });
    expect(after(...at, uploaded('job-last'), stopped()).state).toMatchObject({
      status: 'queued',
      job: { jobId: 'job-last' },
    });
  });
});

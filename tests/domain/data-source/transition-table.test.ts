import { describe, expect, it } from 'vitest';
import { type DataSourceEvent, JOB_STATUSES } from '../../../domain/data-source/index.ts';
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
  type JobHistory,
  lost,
  next,
  progressed,
  purged,
  purgeFailed,
  reconciled,
  retried,
  type Step,
  stopped,
  synced,
  TO_LAST_ATTEMPT,
} from './job-steps.ts';
import { CELLS, expectedAt, outcomeOf } from './transition-table.ts';

/** What leads to a status once the job is in the queue, by the fewest events. */
const FROM_QUEUE: Readonly<Record<string, readonly Step[]>> = {
  queued: [],
  managed: [handedOff],
  starting: [claimed],
  started: [claimed, begun],
  success: [handedOff, completed],
  failure: [failed],
  canceling: [claimed, canceled],
  canceled: [canceled],
  unknown: [handedOff, lost],
  deleting: [deleted],
  delete_job_failure: [deleted, purgeFailed],
  '(removed)': [deleted, purged],
};

const historyTo = (status: string, command: string): JobHistory => {
  if (status === '(none)') return after();
  if (status === 'not_started') return after(createdWaiting);
  const last = command === 'exhausted' ? TO_LAST_ATTEMPT : [];
  return after(created, ...last, ...(FROM_QUEUE[status] ?? []));
};

const STEPS: Readonly<Record<string, Step>> = {
  enqueue: synced,
  claim: claimed,
  hand_off: handedOff,
  begin: begun,
  progress: progressed,
  complete: completed,
  fail: failed,
  retry: retried(),
  exhausted: retried(),
  cancel: canceled,
  cancel_done: stopped(),
  delete: deleted,
  delete_done: purged,
  delete_failed: purgeFailed,
  lost,
};

/** The events that a command may lead to. */
const EVENTS: Readonly<Record<string, readonly DataSourceEvent['type'][]>> = {
  enqueue: ['DataSourceRegistered', 'JobQueued'],
  claim: ['JobClaimed'],
  hand_off: ['JobHandedOff'],
  begin: ['JobStarted'],
  progress: ['JobProgressed'],
  complete: ['JobSucceeded'],
  fail: ['JobFailed', 'JobCanceled'],
  retry: ['JobRequeued', 'JobCanceled'],
  exhausted: ['JobFailed', 'JobCanceled'],
  cancel: ['JobCancelRequested', 'JobCanceled'],
  cancel_done: ['JobCanceled'],
  delete: ['DataSourceDeletionRequested'],
  delete_done: ['DataSourceDeleted'],
  delete_failed: ['DataSourceDeletionFailed'],
  lost: ['JobStatusLost'],
  reconcile: ['JobStatusReconciled'],
};

/** A cell may name several next statuses: each with the command that leads there. */
const variantsOf = (from: string, command: string, cell: string): readonly (readonly [Step, string])[] => {
  if (from === '(none)' && command === 'enqueue') {
    return [
      [createdWaiting, 'not_started'],
      [created, 'queued'],
    ];
  }
  if (command !== 'reconcile') return [[STEPS[command] as Step, cell]];
  const statuses = ['managed', 'success', 'failure', 'canceled'] as const;
  const named = cell.split(', ');
  return statuses.map((status, i) => [reconciled(status), named.length > 1 ? (named[i] ?? '') : cell]);
};

describe('the transition table', () => {
  it('has a row for every status, and one for before and after', () => {
    expect(new Set(CELLS.map(([from]) => from))).toStrictEqual(
      new Set(['(none)', ...JOB_STATUSES, '(removed)']),
    );
    expect(CELLS).toHaveLength(14 * 16);
  });

  it.each(Object.entries(FROM_QUEUE))('reaches %s by a real history', (status, steps) => {
    expect(after(created, ...steps).state.status).toBe(status.replaceAll(/[()]/g, ''));
    expect(after(created, ...TO_LAST_ATTEMPT, ...steps).state).toMatchObject({ job: { attempt: 3 } });
  });

  it.each(CELLS)('%s + %s: %s', (from, command, cell) => {
    const history = historyTo(from, command);
    const variants = variantsOf(from, command, cell);
    const outcomes = variants.map(([step]) => outcomeOf(() => next(history, step), history.state));
    const allowed = new Set<string>(EVENTS[command]);
    expect(outcomes.map(({ cell: outcome }) => outcome)).toStrictEqual(
      variants.map(([, expected]) => expectedAt(from, command, expected)),
    );
    expect(outcomes.flatMap(({ types }) => types).filter((type) => !allowed.has(type))).toStrictEqual([]);
  });
});

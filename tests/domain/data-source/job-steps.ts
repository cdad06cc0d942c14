import {
  type DataSourceCommand,
  type DataSourceEvent,
  type DataSourceState,
  dataSource,
  type JobCounts,
  MAX_ATTEMPTS,
  NOBODY,
  type Reconcile,
  type Retry,
} from '../../../domain/data-source/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import type { History } from '../../support/decisions.ts';

export type JobHistory = History<DataSourceEvent, DataSourceState>;
/** A command that fits the state it meets: the worker's commands name the job and the epoch that hold at that time. */
export type Step = (state: DataSourceState, at: number) => DataSourceCommand;

export const START = 1_800_000_000_000;
/** Longer than every back-off, and long enough for progress to be due. */
export const STEP_MS = 100_000;

export const ERROR = { title: 'Start URL not reachable', message: 'https://a.example answered 503' };
export const COUNTS: JobCounts = { seen: 10, indexed: 4, unchanged: 3, skipped: 2, failed: 1, bytes: 4096 };
export const SUBJECT = { kind: 'crawl', startUrl: 'https://a.example/' } as const;

const WAITING = new Set(['not_started', 'queued']);
/** What the holder of the newest job would write with; of a data source that is not there, a made-up one. */
export const holderOf = (state: DataSourceState): { readonly jobId: string; readonly epoch: number } => {
  if (state.status === 'none') return { jobId: 'job-none', epoch: 1 };
  return { jobId: state.job.jobId, epoch: WAITING.has(state.status) ? NOBODY : state.epoch };
};

const registration = (ready: boolean) => ({
  subject: SUBJECT,
  ingestionSettingId: 'setting-1',
  metadata: [{ key: 'team', val: 'search' }],
  ready,
});

const registered =
  (ready: boolean): Step =>
  (_, at) => ({
    type: 'enqueue',
    registration: registration(ready),
    jobId: `job-${at}`,
    trigger: 'create',
    mode: 'full',
    at,
  });
export const created = registered(true);
export const createdWaiting = registered(false);
export const synced: Step = (_, at) => ({
  type: 'enqueue',
  jobId: `job-${at}`,
  trigger: 'sync',
  mode: 'incremental',
  at,
});
export const ticked =
  (dueAt?: number): Step =>
  (_, at) => ({ type: 'tick', jobId: `job-${at}`, dueAt: dueAt ?? at, at });
export const claimed: Step = (_, at) => ({ type: 'claim', workerId: 'worker-1', at });
export const handedOff: Step = (_, at) => ({
  type: 'hand_off',
  executor: 'batch',
  externalId: 'run-7',
  at,
});
export const begun: Step = (state, at) => ({ type: 'begin', ...holderOf(state), at });
export const progressed: Step = (state, at) => ({ type: 'progress', ...holderOf(state), counts: COUNTS, at });
export const completed: Step = (state, at) => ({ type: 'complete', ...holderOf(state), counts: COUNTS, at });
export const failed: Step = (state, at) => ({
  type: 'fail',
  ...holderOf(state),
  error: ERROR,
  code: 'not_reachable',
  at,
});
export const retried =
  (reason: Retry['reason'] = 'worker_lost'): Step =>
  (state, at) => ({ type: 'retry', ...holderOf(state), reason, error: ERROR, at });
/** By a provider that asks to wait for so long. */
export const postponed =
  (ms: number): Step =>
  (state, at) =>
    ({ ...retried('transient_error')(state, at), notBefore: at + ms }) as DataSourceCommand;
export const canceled: Step = (_, at) => ({ type: 'cancel', at });
export const stopped =
  (by: 'worker' | 'timeout' = 'worker'): Step =>
  (state, at) => ({ type: 'cancel_done', ...holderOf(state), by, at });
export const deleted: Step = (_, at) => ({ type: 'delete', at });
export const purged: Step = (_, at) => ({ type: 'delete_done', contents: 3, sources: 2, bytes: 1024, at });
export const purgeFailed: Step = (_, at) => ({ type: 'delete_failed', error: ERROR, at });
export const lost: Step = (_, at) => ({ type: 'lost', at });
export const reconciled =
  (status: Reconcile['status']): Step =>
  (_, at) => ({ type: 'reconcile', status, ...(status === 'failure' && { error: ERROR }), at });

/** Runs the steps, STEP_MS apart. A refusal is thrown. */
export const after = (...steps: readonly Step[]): JobHistory =>
  steps.reduce<JobHistory>(
    ({ events, state }, step, i) => {
      const more = dataSource.decide(step(state, START + i * STEP_MS), state);
      return { events: [...events, ...more], state: fold(dataSource, more, state) };
    },
    { events: [], state: dataSource.initial },
  );

/** What one more step leads to, `wait` after the newest event. */
export const next = ({ events, state }: JobHistory, step: Step, wait = STEP_MS): readonly DataSourceEvent[] =>
  dataSource.decide(step(state, (events.at(-1)?.at ?? START) + wait), state);

/** Claimed and lost until the next attempt is the last one. */
export const TO_LAST_ATTEMPT: readonly Step[] = Array.from({ length: MAX_ATTEMPTS - 1 }, () => [
  claimed,
  retried(),
]).flat();

import type { AuditEntry } from 'knowledger-client';

type Counts = Readonly<Record<'indexed' | 'unchanged' | 'skipped' | 'failed', number>>;

/** One attempt of a job, as the audit trail tells it. Times are Unix milliseconds. */
export interface Attempt {
  readonly jobId: string;
  readonly number: number;
  /** What asked for it: such as `create`, `schedule`, or `retry`. */
  readonly trigger: string;
  /** Who, by which event of the log. */
  readonly by: Pick<AuditEntry, 'actor' | 'position'>;
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly outcome?: 'success' | 'failure' | 'canceled' | 'requeued';
  readonly reason?: string;
  /** As far as they are known. */
  readonly counts?: Counts;
  /** Of all that it caused. */
  readonly trace?: string;
}

/** The attempts of all jobs of a data source, newest first. `trail` is in its own order. */
export const attemptsOf = (trail: readonly AuditEntry[]): readonly Attempt[] => {
  const attempts: Attempt[] = [];
  for (const entry of trail) {
    const { trace_id: trace } = entry;
    const at = 'at' in entry.data ? entry.data.at : entry.time * 1_000;
    const last = attempts.at(-1);
    const change = (to: Partial<Attempt>): void => {
      if (last !== undefined) attempts[attempts.length - 1] = { ...last, ...to };
    };
    switch (entry.type) {
      case 'JobQueued':
        attempts.push({
          jobId: entry.data.job_id,
          number: 1,
          trigger: entry.data.trigger,
          by: { actor: entry.actor, position: entry.position },
          queuedAt: at,
          ...(trace !== undefined && { trace }),
        });
        break;
      case 'JobStarted':
        change({ startedAt: at });
        break;
      case 'JobRequeued':
        change({ endedAt: at, outcome: 'requeued', reason: entry.data.error?.message ?? entry.data.reason });
        attempts.push({
          jobId: entry.data.job_id,
          number: entry.data.attempt,
          trigger: 'retry',
          by: { actor: entry.actor, position: entry.position },
          queuedAt: at,
          ...(trace !== undefined && { trace }),
        });
        break;
      case 'JobSucceeded':
        change({
          endedAt: at,
          outcome: 'success',
          counts: entry.data.counts,
          ...(entry.data.error && { reason: entry.data.error.message }),
        });
        break;
      case 'JobFailed':
        change({
          endedAt: at,
          outcome: 'failure',
          reason: entry.data.error.message,
          ...countsOf(entry.data),
        });
        break;
      case 'JobCanceled':
        change({ endedAt: at, outcome: 'canceled', ...countsOf(entry.data) });
        break;
      case 'JobProgressed':
        change({ counts: entry.data.counts });
        break;
      case 'JobClaimed':
      case 'JobHandedOff':
      case 'JobCancelRequested':
      case 'DataSourceRegistered':
      case 'DataSourceDeletionRequested':
      case 'DataSourceDeleted':
      case 'DataSourceDeletionFailed':
      case 'JobStatusLost':
      case 'JobStatusReconciled':
      case 'FilesUploaded':
      case 'ScheduleTickSkipped':
    }
  }
  return attempts.toReversed();
};

const countsOf = ({ counts }: { readonly counts?: Counts }): { readonly counts?: Counts } =>
  counts === undefined ? {} : { counts };

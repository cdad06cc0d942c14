import { dataSource, type JobError } from '../../../domain/data-source/index.ts';
import type { Caller } from '../../access/caller.ts';
import {
  type Claimed,
  type IdempotentDeps,
  type Written,
  idempotently,
} from '../../event-sourcing/idempotent.ts';
import {
  type CommandDeps,
  createExecuteDataSourceCommand,
  loadDataSourceRecord,
} from '../ingestion/command-data-source.ts';
import { executorOf } from '../ingestion/create-data-source.ts';
import type { NamedDataSource } from '../../ports/data-source-view.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { type ReportedEnd, endPushJob, type EndPushJobDeps } from './report.ts';

export interface PushJobsDeps extends CommandDeps, IdempotentDeps, EndPushJobDeps {}

/**
 * Jobs of a push, as reported by the external process that runs them. All operations throw DomainError not_found,
 * conflict, source_deleting.
 */
export const createPushJobs = (deps: PushJobsDeps) => {
  const command = createExecuteDataSourceCommand(deps);

  const end = async (
    caller: Caller,
    id: string,
    jobId: string,
    how: ReportedEnd,
  ): Promise<Written<NamedDataSource>> => {
    const { record } = await loadDataSourceRecord(deps, caller, 'push', id);
    await endPushJob(deps, caller, { id, jobId }, how);
    const now = await loadDataSourceRecord(deps, caller, 'push', id);
    return { ...now, changed: now.record.row.revision !== record.row.revision };
  };

  return {
    /** Opens a job. If one is running, returns the unchanged record. @throws DomainError idempotency_conflict */
    open: async (
      caller: Caller,
      id: string,
      idempotencyKey: string | undefined,
    ): Promise<Written<NamedDataSource>> => {
      await loadDataSourceRecord(deps, caller, 'push', id);
      const request = { operation: 'openPushJob', key: idempotencyKey, body: { id } };
      return idempotently(deps, request, 1, caller.context, async ({ ids, at, replayed }: Claimed) => {
        const [jobId = ''] = ids;
        if (replayed && (await wasOpened(deps, caller, id, jobId)))
          return loadDataSourceRecord(deps, caller, 'push', id);
        const job = { jobId, trigger: 'push', mode: 'incremental', at } as const;
        const executor = executorOf(caller);
        return command(caller, 'push', id, { type: 'enqueue', ...job, executor });
      });
    },

    /** Ends a job as succeeded. Idempotent. */
    complete: (caller: Caller, id: string, jobId: string) => end(caller, id, jobId, { kind: 'complete' }),

    /** Ends a job that its executor gives up or that was canceled. Idempotent. */
    fail: (caller: Caller, id: string, jobId: string, error: JobError) =>
      end(caller, id, jobId, { kind: 'fail', error }),
  };
};
export type PushJobs = ReturnType<typeof createPushJobs>;

const wasOpened = async (
  { execute }: PushJobsDeps,
  { tenant }: Caller,
  id: string,
  jobId: string,
): Promise<boolean> =>
  (await execute.history(dataSource, dataSourceStream(id), tenant)).some(
    ({ event }) => event.type === 'JobQueued' && event.jobId === jobId,
  );

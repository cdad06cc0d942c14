import type { DataSourceEvent } from '../../domain/data-source/index.ts';
import { NO_COUNTS, NOBODY, statusAfter, tickedUntil } from '../../domain/data-source/index.ts';
import type { DataSourceRow } from '../ports/data-source-view.ts';

/** Where an event stands: the row's key and what the row then holds. */
export interface RowContext {
  readonly id: string;
  readonly tenant: string;
  readonly revision: bigint;
}

/** `(row | null, event) -> row`: an event that the row already holds changes nothing. */
export const dataSourceRow = (
  row: DataSourceRow | null,
  event: DataSourceEvent,
  { id, tenant, revision }: RowContext,
): DataSourceRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'DataSourceRegistered') return { ...registered(event), id, tenant, revision };
  if (row === null) throw new Error(`${event.type} of ${id} before DataSourceRegistered`);
  const status = statusAfter(event, row.status);
  const status_since = status === row.status ? row.status_since : event.at;
  const heard_at = isOfOthers(event) ? row.heard_at : event.at;
  return { ...row, ...changes(row, event), status, status_since, heard_at, revision };
};

/** Written by the schedule or by a caller while the job runs: no sign of life from whoever runs it. */
const isOfOthers = ({ type }: DataSourceEvent): boolean =>
  type === 'ScheduleTickSkipped' || type === 'JobCancelRequested';

type New = Omit<DataSourceRow, 'id' | 'tenant' | 'revision'>;
const registered = (event: Extract<DataSourceEvent, { type: 'DataSourceRegistered' }>): New => ({
  status: statusAfter(event, null),
  subject: event.subject,
  ingestion_setting_id: event.ingestion_setting_id,
  metadata: event.metadata,
  error: null,
  job_id: event.job_id,
  attempt: 1,
  mode: 'full',
  generation: 1,
  epoch: NOBODY,
  ticked_until: 0,
  counts: NO_COUNTS,
  not_before: event.at,
  created_at: event.at,
  started_at: null,
  ended_at: null,
  status_since: event.at,
  heard_at: event.at,
});

const changes = (row: DataSourceRow, event: DataSourceEvent): Partial<DataSourceRow> => {
  switch (event.type) {
    case 'JobQueued': {
      const { job_id, attempt, mode, generation, at } = event;
      const fresh = { error: null, started_at: null, ended_at: null, counts: NO_COUNTS };
      const ticked_until = tickedUntil(event, row.ticked_until);
      return { ...fresh, job_id, attempt, mode, generation, not_before: at, ticked_until };
    }
    case 'JobClaimed':
      return { epoch: event.epoch };
    case 'JobHandedOff':
      return { epoch: event.epoch, started_at: event.at };
    case 'JobStarted':
      return { started_at: event.at };
    case 'JobProgressed':
      return { counts: event.counts };
    case 'JobSucceeded':
      return { counts: event.counts, ended_at: event.at };
    case 'JobFailed':
      return { error: event.error, ended_at: event.at, counts: event.counts ?? row.counts };
    case 'JobRequeued':
      return { attempt: event.attempt, not_before: event.not_before, started_at: null };
    case 'JobCanceled':
      return { ended_at: event.at, error: event.error ?? null, counts: event.counts ?? row.counts };
    case 'DataSourceDeletionRequested':
      return { not_before: event.at, ...(event.interrupted_job_id !== null && { ended_at: event.at }) };
    case 'DataSourceDeletionFailed':
      return { error: event.error };
    case 'JobStatusReconciled':
      return event.status === 'managed'
        ? { started_at: row.started_at ?? event.at }
        : { ended_at: event.at, error: event.error ?? row.error };
    case 'ScheduleTickSkipped':
      return { ticked_until: tickedUntil(event, row.ticked_until) };
    case 'DataSourceRegistered':
    case 'JobCancelRequested':
    case 'DataSourceDeleted':
    case 'JobStatusLost':
      return {};
  }
};

/** After an event that only a newer version knows, this one cannot say what the status is. */
export const dataSourceRowOfUnknown = (row: DataSourceRow | null, revision: bigint): DataSourceRow | null =>
  row === null || row.revision >= revision ? row : { ...row, status: 'unknown', revision };

/** The row as of a whole history: what a write answers with. */
export const dataSourceRowOf = (
  history: readonly DataSourceEvent[],
  id: string,
  tenant: string,
): DataSourceRow | null =>
  history.reduce<DataSourceRow | null>(
    (row, event, i) => dataSourceRow(row, event, { id, tenant, revision: BigInt(i) }),
    null,
  );

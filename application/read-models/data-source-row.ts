import {
  type DataSourceEvent,
  NOBODY,
  NO_COUNTS,
  provesLiveness,
  statusAfter,
  tickedUntil,
} from '../../domain/data-source/index.ts';
import type { DataSourceRow } from '../ports/data-source-view.ts';

/** The key of the row and the revision that it includes after the event. */
export interface RowContext {
  readonly id: string;
  readonly tenant: string;
  readonly revision: bigint;
}

/** `(row | null, event) -> row`. An event that the row already includes changes nothing. */
export const dataSourceRow = (
  row: DataSourceRow | null,
  event: DataSourceEvent,
  { id, tenant, revision }: RowContext,
): DataSourceRow | null => {
  if (row !== null && row.revision >= revision) return row;
  if (event.type === 'DataSourceRegistered') return { ...registered(event), id, tenant, revision };
  if (row === null) throw new Error(`${event.type} of ${id} before DataSourceRegistered`);
  const status = statusAfter(event, row.status);
  const statusSince = status === row.status ? row.statusSince : event.at;
  const heardAt = provesLiveness(event) ? event.at : row.heardAt;
  return { ...row, ...changes(row, event), status, statusSince, heardAt, revision };
};

type New = Omit<DataSourceRow, 'id' | 'tenant' | 'revision'>;
const registered = (event: Extract<DataSourceEvent, { type: 'DataSourceRegistered' }>): New => ({
  status: statusAfter(event, null),
  subject: event.subject,
  ingestionSettingId: event.ingestionSettingId,
  metadata: event.metadata,
  error: null,
  jobId: event.jobId,
  attempt: 1,
  mode: 'full',
  generation: 1,
  wholeGeneration: 1,
  settledGeneration: 0,
  epoch: NOBODY,
  tickedUntil: 0,
  counts: NO_COUNTS,
  notBefore: event.at,
  uploadedAt: null,
  createdAt: event.at,
  startedAt: null,
  endedAt: null,
  syncedAt: null,
  statusSince: event.at,
  heardAt: event.at,
});

const changes = (row: DataSourceRow, event: DataSourceEvent): Partial<DataSourceRow> => {
  switch (event.type) {
    case 'JobQueued': {
      const { jobId, attempt, mode, generation, at } = event;
      const fresh = { error: null, startedAt: null, endedAt: null, counts: NO_COUNTS };
      const ticked = tickedUntil(event, row.tickedUntil);
      const wholeGeneration = event.locators === undefined ? generation : row.wholeGeneration;
      const job = { jobId, attempt, mode, generation, wholeGeneration };
      return { ...fresh, ...job, notBefore: at, tickedUntil: ticked };
    }
    case 'JobClaimed':
      return { epoch: event.epoch, error: null };
    case 'JobHandedOff':
      return { epoch: event.epoch, startedAt: event.at, error: null };
    case 'JobStarted':
      return { startedAt: event.at };
    case 'JobProgressed':
      return { counts: event.counts };
    case 'JobSucceeded':
      return {
        counts: event.counts,
        endedAt: event.at,
        syncedAt: event.at,
        error: event.error ?? null,
        ...settled(row),
      };
    case 'JobFailed':
      return { error: event.error, endedAt: event.at, counts: event.counts ?? row.counts };
    case 'JobRequeued':
      return {
        attempt: event.attempt,
        notBefore: event.notBefore,
        startedAt: null,
        error: event.error ?? null,
      };
    case 'JobCanceled':
      return { endedAt: event.at, error: event.error ?? null, counts: event.counts ?? row.counts };
    case 'DataSourceDeletionRequested':
      return {
        notBefore: event.at,
        ...(event.interruptedJobId !== null && { endedAt: event.at, error: null }),
      };
    case 'DataSourceDeletionFailed':
      return { error: event.error };
    case 'JobStatusReconciled':
      return event.status === 'managed'
        ? { startedAt: row.startedAt ?? event.at }
        : {
            endedAt: event.at,
            ...(event.status === 'success' && { syncedAt: event.at, ...settled(row) }),
            error: event.error ?? row.error,
            counts: event.counts ?? row.counts,
          };
    case 'FilesUploaded':
      return { uploadedAt: event.at, ...declaredBy(event) };
    case 'ScheduleTickSkipped':
      return { tickedUntil: tickedUntil(event, row.tickedUntil) };
    case 'DataSourceRegistered':
    case 'JobCancelRequested':
    case 'DataSourceDeleted':
    case 'JobStatusLost':
      return {};
  }
};

const settled = ({ generation, wholeGeneration }: DataSourceRow): Partial<DataSourceRow> =>
  generation === wholeGeneration ? { settledGeneration: generation } : {};

const declaredBy = ({
  chunkMetadataKeys,
}: Extract<DataSourceEvent, { type: 'FilesUploaded' }>): Partial<DataSourceRow> =>
  chunkMetadataKeys === undefined ? {} : { subject: { kind: 'local_file_group', chunkMetadataKeys } };

/** After an event that only a newer version knows, the status is unknown to this version. */
export const dataSourceRowOfUnknown = (row: DataSourceRow | null, revision: bigint): DataSourceRow | null =>
  row === null || row.revision >= revision ? row : { ...row, status: 'unknown', revision };

/** The row after the whole history; the answer to a write. */
export const dataSourceRowOf = (
  history: readonly DataSourceEvent[],
  id: string,
  tenant: string,
): DataSourceRow | null =>
  history.reduce<DataSourceRow | null>(
    (row, event, i) => dataSourceRow(row, event, { id, tenant, revision: BigInt(i) }),
    null,
  );

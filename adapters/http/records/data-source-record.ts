import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { JobCounts, JobStatus, StreamStatus } from '../../../domain/data-source/index.ts';
import type { DataSourceRecord, Progress } from '../schemas/data-source.ts';

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** What all kinds of data sources have, as callers see it: what is not known yet is absent. */
export const dataSourceRecord = ({ row, name }: NamedDataSource): DataSourceRecord => ({
  id: row.id,
  name,
  status: visible(row.status),
  ingestion_setting_id: row.ingestionSettingId,
  creation_time: seconds(row.createdAt),
  ...(row.startedAt !== null && { start_time: seconds(row.startedAt) }),
  ...(row.endedAt !== null && { end_time: seconds(row.endedAt) }),
  ...(row.error !== null && { error: { title: row.error.title, message: row.error.message } }),
  progress: progressOf(row.counts),
  metadata: { records: row.metadata.map(({ key, val }) => ({ key, val, type: 'string' })) },
});

const progressOf = ({ seen, indexed, unchanged, skipped, failed, bytes }: JobCounts): Progress => ({
  seen,
  indexed,
  unchanged,
  skipped,
  failed,
  bytes,
});

/** `removed` is seen in the answer to a DELETE that the purge overtook, and nowhere else. */
export const visible = (status: StreamStatus): JobStatus => (status === 'removed' ? 'deleting' : status);

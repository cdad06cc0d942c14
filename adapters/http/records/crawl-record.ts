import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { IngestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import type { JobCounts, JobStatus, StreamStatus } from '../../../domain/data-source/index.ts';
import type { CrawlSetting } from '../schemas/crawl-setting.ts';
import type { Crawl, Progress } from '../schemas/crawl.ts';

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A data source of kind crawl as callers see it: what is not known yet is absent. */
export const crawlRecord = ({ row, name }: NamedDataSource): Crawl => {
  if (row.subject.kind !== 'crawl') throw new Error(`data source ${row.id} is no crawl`);
  return {
    id: row.id,
    name,
    status: visible(row.status),
    ingestion_setting_id: row.ingestion_setting_id,
    start_url: row.subject.start_url,
    creation_time: seconds(row.created_at),
    ...(row.started_at !== null && { start_time: seconds(row.started_at) }),
    ...(row.ended_at !== null && { end_time: seconds(row.ended_at) }),
    ...(row.error !== null && { error: { title: row.error.title, message: row.error.message } }),
    progress: progressOf(row.counts),
    metadata: { records: row.metadata.map(({ key, val }) => ({ key, val, type: 'string' })) },
  };
};

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

export const crawlSettingRecord = ({ id, name, parameters, schedule }: IngestionSettingRow): CrawlSetting => {
  // Field by field: a database keeps objects in an order of its own, and answers should not depend on who gave them.
  return {
    id,
    name,
    start_url: parameters.start_url,
    max_depth: parameters.max_depth,
    html_only: parameters.html_only,
    use_browser: parameters.use_browser,
    path_filters: [...parameters.path_filters],
    content_pattern: [...parameters.content_pattern],
    max_num_files: parameters.max_num_files,
    no_canonical_check: parameters.no_canonical_check,
    file_extensions: [...parameters.file_extensions],
    ...(schedule !== null && { rrule: schedule.rrule }),
  };
};

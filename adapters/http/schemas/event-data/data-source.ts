import Type, { type TProperties, type TSchema } from 'typebox';
import type { DataSourceEvent, DataSourceSubject } from '../../../../domain/data-source/index.ts';
import {
  Count,
  type DataOf,
  fact,
  Millis,
  MetadataKey,
  ofKinds,
  orNull,
  Sha256,
  Texts,
  Uuid,
} from './facts.ts';

const Subject = ofKinds<DataSourceSubject>({
  crawl: { start_url: Type.String() },
  repo: {
    repository: Type.String(),
    reference_type: Type.String(),
    reference_param: Type.String(),
    path_filters: Texts,
  },
  cloud_drive: { folder_url: Type.String() },
  wiki: { page_id: Type.String() },
  local_file_group: { chunk_metadata_keys: Type.Optional(Type.Array(MetadataKey)) },
  push: {},
});
const JobError = Type.Object({ title: Type.String(), message: Type.String() });
const Counts = Type.Object({
  seen: Count,
  indexed: Count,
  unchanged: Count,
  skipped: Count,
  failed: Count,
  bytes: Count,
});
const Record = Type.Object({ key: Type.String(), val: Type.String() });
const epoch = Type.Integer({ description: 'Fencing token: higher than that of every earlier claim' });
const generation = Type.Integer({ minimum: 1, description: 'Number of the job within the data source' });
const job = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, { job_id: Uuid, ...properties });

export const DATA_SOURCE: DataOf<DataSourceEvent> = {
  DataSourceRegistered: fact('The data source begins, with its first job', {
    subject: Subject,
    ingestion_setting_id: Uuid,
    metadata: Type.Array(Record),
    job_id: Uuid,
  }),
  JobQueued: job('The job waits for a worker', {
    attempt: Type.Literal(1),
    trigger: Type.Enum(['create', 'sync', 'schedule', 'upload', 'push', 'recovery']),
    mode: Type.Enum(['incremental', 'full']),
    generation,
    due_at: Type.Optional(Millis),
    locators: Type.Optional(Type.Array(Type.String(), { description: 'The items that it looks at alone' })),
  }),
  JobClaimed: job('A worker takes the job', { worker_id: Type.String(), epoch }),
  JobHandedOff: job('The job is done elsewhere', {
    executor: Type.String(),
    external_id: Type.String(),
    epoch,
  }),
  JobStarted: job('The work begins', { attempt: Type.Integer({ minimum: 1 }) }),
  JobProgressed: job('How far the job is', { counts: Counts }),
  JobSucceeded: job('The job is done', {
    counts: Counts,
    generation,
    after_cancel_request: Type.Boolean(),
    error: Type.Optional(JobError),
  }),
  JobFailed: job('The job has failed for good', {
    error: JobError,
    code: Type.String(),
    counts: Type.Optional(Counts),
  }),
  JobRequeued: job('The job waits for another attempt', {
    reason: Type.String(),
    attempt: Type.Integer({ minimum: 1 }),
    not_before: Millis,
    error: Type.Optional(JobError),
  }),
  JobCancelRequested: job('Somebody asked for the job to end'),
  JobCanceled: job('The job has ended because somebody asked', {
    by: Type.Enum(['caller', 'worker', 'worker_lost', 'timeout']),
    counts: Type.Optional(Counts),
    error: Type.Optional(JobError),
  }),
  DataSourceDeletionRequested: fact('Nothing of the data source is shown from now on', {
    interrupted_job_id: orNull(Uuid),
  }),
  DataSourceDeleted: fact('What was removed', { contents: Count, sources: Count, bytes: Count }),
  DataSourceDeletionFailed: fact('Not all could be removed', { error: JobError }),
  JobStatusLost: job('Nobody knows how the job does'),
  JobStatusReconciled: job('How the job does is known again', {
    status: Type.Enum(['managed', 'success', 'failure', 'canceled']),
    error: Type.Optional(JobError),
    counts: Type.Optional(Counts),
  }),
  FilesUploaded: job('A caller put files into the group; the job is the first that reads them', {
    list: Type.Object({ sha256: Sha256, bytes: Count }),
    added: Count,
    replaced: Count,
    bytes: Count,
    chunk_metadata_keys: Type.Optional(Type.Array(MetadataKey)),
  }),
  ScheduleTickSkipped: fact('The schedule came round while a job was at work', { due_at: Millis }),
};

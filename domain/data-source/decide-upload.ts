import { DomainError } from '../shared/domain-error.ts';
import type { AddFiles } from './commands.ts';
import { hasEnded, queuedByUpload } from './decide-queue.ts';
import type { DataSourceEvent, FilesUploaded, JobQueued } from './events.ts';
import type { JobStatus } from './job-status.ts';
import { refuseBeforeFiles } from './refuse.ts';
import type { ExistingDataSource } from './state.ts';

/** Records uploaded files and queues a job that processes them: at once, or after the running job. */
export const addFiles = (
  command: AddFiles,
  source: ExistingDataSource & { readonly status: JobStatus },
): readonly DataSourceEvent[] => {
  const { status, job } = source;
  mustTakeFiles(source);
  const uploaded: FilesUploaded = { ...command, type: 'FilesUploaded' };
  if (status === 'not_started') {
    if (command.jobId !== job.jobId) return refuseBeforeFiles();
    return [uploaded, { ...firstJob, jobId: job.jobId, at: command.at }];
  }
  return hasEnded(status) ? [uploaded, queuedByUpload(command, source)] : [uploaded];
};

const firstJob: Omit<JobQueued, 'jobId' | 'at'> = {
  type: 'JobQueued',
  attempt: 1,
  trigger: 'create',
  mode: 'full',
  generation: 1,
};

/** @throws DomainError not_found, source_deleting */
export const mustTakeFiles = ({ subject, status }: Pick<ExistingDataSource, 'subject' | 'status'>): void => {
  if (subject.kind !== 'local_file_group' || status === 'removed')
    throw new DomainError('not_found', 'there is no such local file group');
  if (status === 'deleting' || status === 'delete_job_failure')
    throw new DomainError('source_deleting', 'the group is being deleted and takes no more files');
};

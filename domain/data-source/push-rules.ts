import { DomainError } from '../shared/domain-error.ts';
import type { JobStatus } from './job-status.ts';
import type { ExistingDataSource } from './state.ts';

type LiveDataSource = ExistingDataSource & { readonly status: JobStatus };

/** @throws DomainError not_found, conflict */
export function mustBePush(source: ExistingDataSource): asserts source is LiveDataSource {
  const { subject, status } = source;
  if (status === 'removed') throw new DomainError('not_found', 'there is no such source group');
  if (subject.kind !== 'push')
    throw new DomainError(
      'conflict',
      'only a push accepts documents here: jobs of other kinds find their own',
    );
}

/**
 * Requires that the executor may add and remove documents: while a job is running, or after its status was lost, which
 * a report ends.
 *
 * @throws DomainError not_found, conflict, source_deleting
 */
export const mustTakeDocuments = (source: ExistingDataSource): void => {
  mustBePush(source);
  const { status, job } = source;
  switch (status) {
    case 'managed':
    case 'unknown':
      return;
    case 'canceling':
      throw new DomainError(
        'conflict',
        `job ${job.jobId} is to be canceled: stop, and say so by POST /pushes/{id}/jobs/{job_id}/fail`,
      );
    case 'deleting':
    case 'delete_job_failure':
      throw new DomainError('source_deleting', 'the push is being deleted and takes no more documents');
    case 'success':
    case 'failure':
    case 'canceled':
    case 'not_started':
    case 'queued':
    case 'starting':
    case 'started':
      throw new DomainError(
        'conflict',
        'no job of this push is under way: open one by POST /pushes/{id}/jobs',
      );
  }
};

import type { Decider } from '../shared/decider.ts';
import type { DataSourceCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { DataSourceEvent } from './events.ts';
import { type DataSourceState, evolve, initial } from './state.ts';

export const dataSource: Decider<DataSourceCommand, DataSourceEvent, DataSourceState, 'dataSource'> = {
  category: 'dataSource',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export { DATA_SOURCE_KINDS } from './events.ts';
export { mustTakeFiles } from './decide-upload.ts';
export { mustBePush, mustTakeDocuments } from './push-rules.ts';
export { JOB_ERROR_TITLES, type JobErrorTitle } from './job-error-titles.ts';
export {
  JOB_STATUSES,
  type JobStatus,
  provesLiveness,
  statusAfter,
  stopReasonFor,
  type StreamStatus,
} from './job-status.ts';
export {
  DELETION_RETRY_LIMIT,
  DELETION_REST_PERIOD,
  isDueAgain,
  deletionDelayAfter,
} from './deletion-rules.ts';
export * from './retry-rules.ts';
export {
  type DataSourceState,
  type ExistingDataSource,
  type JobState,
  NO_COUNTS,
  NOBODY,
  tickedUntil,
} from './state.ts';

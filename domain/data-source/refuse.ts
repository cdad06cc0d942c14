import { DomainError } from '../shared/domain-error.ts';
import type { DataSourceCommand } from './commands.ts';

/** Refuses a command that the transition table does not allow in this status. */
export const refuse = (command: DataSourceCommand['type'], status: string): never => {
  throw new DomainError('conflict', `${command} is not possible while the data source is ${status}`);
};

/** Refuses a job for a group without files: the first job belongs to the upload of the first files. */
export const refuseBeforeFiles = (): never => {
  throw new DomainError(
    'conflict',
    'the first files of this group are still being uploaded: try again later',
  );
};

import { DomainError } from '../shared/domain-error.ts';
import type { DataSourceCommand } from './commands.ts';

/** A command that the transition table does not allow in this status. */
export const refuse = (command: DataSourceCommand['type'], status: string): never => {
  throw new DomainError('conflict', `${command} is not possible while the data source is ${status}`);
};

/** Of a group that has no files yet: its first job reads them, and belongs to their upload. */
export const refuseBeforeFiles = (): never => {
  throw new DomainError('conflict', 'the first files of this group are still on their way: try again later');
};

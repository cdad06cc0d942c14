import { DomainError } from '../shared/domain-error.ts';
import type { DataSourceCommand } from './commands.ts';

/** A command that the transition table does not allow in this status. */
export const refuse = (command: DataSourceCommand['type'], status: string): never => {
  throw new DomainError('conflict', `${command} is not possible while the data source is ${status}`);
};

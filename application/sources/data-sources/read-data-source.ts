import type { Execute } from '../../event-sourcing/execute.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceRow } from '../../ports/data-source-view.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { dataSourceWithRow } from './data-source-with-row.ts';

export interface ReadDataSourceDeps {
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * The data source folded from its stream, including a removed one; null if the tenant has none with this id.
 *
 * @throws DomainError unavailable if a newer version of the service has written to it
 */
export const readDataSource = async (
  { execute }: ReadDataSourceDeps,
  tenant: string,
  id: string,
): Promise<DataSourceRow | null> => {
  const found = await execute.load(dataSourceWithRow, dataSourceStream(id), tenant);
  return found && rowIn(found.state, id, tenant);
};

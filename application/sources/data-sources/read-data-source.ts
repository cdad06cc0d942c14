import type { Execute } from '../../event-sourcing/execute.ts';
import { rowIn } from '../../read-models/with-row.ts';
import type { DataSourceRow } from '../../ports/data-source-view.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { dataSourceWithRow } from './data-source-with-row.ts';

export interface ReadDataSourceDeps {
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * The data source as of its stream, a removed one included; null where the tenant has none of that id.
 *
 * @throws DomainError unavailable when a newer version of the service has written to it
 */
export const readDataSource = async (
  { execute }: ReadDataSourceDeps,
  tenant: string,
  id: string,
): Promise<DataSourceRow | null> => {
  const found = await execute.load(dataSourceWithRow, dataSourceStream(id), tenant);
  return found && rowIn(found.state, id, tenant);
};

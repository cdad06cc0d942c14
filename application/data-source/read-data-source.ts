import { DomainError } from '../../domain/shared/domain-error.ts';
import type { DataSourceEvent } from '../../domain/data-source/index.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../event-codec.ts';
import type { Execute } from '../execute.ts';
import { rowIn } from '../folding/with-row.ts';
import type { EventStore } from '../ports/event-store.ts';
import { type DataSourceRow, dataSourceRow, dataSourceRowOfUnknown } from '../read-models/data-source-row.ts';
import { dataSourceStream } from '../streams.ts';
import { dataSourceWithRow } from './data-source-with-row.ts';

export interface ReadDataSourceDeps {
  readonly execute: Execute;
  readonly store: EventStore;
  readonly codec: EventCodec;
}

/**
 * The data source as of its stream, a removed one included; null where the tenant has none of that id. After an event
 * of a newer version of the service its status is `unknown`.
 */
export const readDataSource = async (
  deps: ReadDataSourceDeps,
  tenant: string,
  id: string,
): Promise<DataSourceRow | null> => {
  try {
    const found = await deps.execute.load(dataSourceWithRow, dataSourceStream(id), tenant);
    return found && rowIn(found.state, id, tenant);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return readOverUnknown(deps, tenant, id);
  }
};

const readOverUnknown = async (
  { store, codec }: ReadDataSourceDeps,
  tenant: string,
  id: string,
): Promise<DataSourceRow | null> => {
  const recorded = await store.readStream(dataSourceStream(id));
  const [first] = recorded;
  if (first === undefined || readMetadata(first.metadata).tenant !== tenant) return null;
  return recorded.reduce<DataSourceRow | null>((row, stored) => {
    const { revision } = stored;
    const event = decodeKnown(codec, stored) as DataSourceEvent | null;
    if (event === null) return dataSourceRowOfUnknown(row, revision);
    return dataSourceRow(row, event, { id, tenant, revision });
  }, null);
};

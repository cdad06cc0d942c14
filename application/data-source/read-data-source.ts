import type { DataSourceEvent } from '../../domain/data-source/index.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import { type DataSourceRow, dataSourceRow, dataSourceRowOfUnknown } from '../read-models/data-source-row.ts';
import { dataSourceStream } from '../streams.ts';

/** The data source as of its stream, a removed one included; null where the tenant has none of that id. */
export const readDataSource = async (
  { store, codec }: { readonly store: EventStore; readonly codec: EventCodec },
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

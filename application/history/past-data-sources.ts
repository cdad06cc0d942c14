import type { DataSourceKind } from '../../domain/data-source/index.ts';
import { dataSourceStream, ingestionSettingStream } from '../event-sourcing/streams.ts';
import type { DataSourceFilter, DataSourceView, NamedDataSource } from '../ports/data-source-view.ts';
import { dataSourceFold, ingestionSettingFold } from '../read-models/row-folds.ts';
import type { ListPast } from './past-lists.ts';
import type { PastReader } from './past-reader.ts';

/** Data sources, with the name and the parameters that their settings had then. */
export const pastDataSources = (reader: PastReader, list: ListPast): DataSourceView => {
  const dataSource = (tenant: string, id: string) =>
    reader.row(dataSourceFold, id, tenant, dataSourceStream(id));
  const setting = (tenant: string, id: string) =>
    reader.row(ingestionSettingFold, id, tenant, ingestionSettingStream(id));

  const named = async (
    tenant: string,
    kind: DataSourceKind,
    id: string,
    status?: DataSourceFilter['status'],
  ): Promise<NamedDataSource | null> => {
    const row = await dataSource(tenant, id);
    if (row === null || row.subject.kind !== kind) return null;
    // Most records of a filtered list end here, without a read of their setting.
    if (status !== undefined && row.status !== status) return null;
    const found = await setting(tenant, row.ingestionSettingId);
    return { row, name: found?.name ?? '', parameters: found?.parameters ?? null };
  };

  return {
    get: (tenant, kind, id) => named(tenant, kind, id),
    list: (tenant, kind, page, only, { status, name = '' } = {}) =>
      list(
        { tenant, list: kind, ...(only !== null && { ids: only }) },
        page,
        (id) => named(tenant, kind, id, status),
        status === undefined && name === ''
          ? undefined
          : (found) => found.name.toLowerCase().startsWith(name.toLowerCase()),
      ),
    withChunkMetadataCounts: async (found) => found,
    getSetting: async (tenant, id) => {
      const row = await setting(tenant, id);
      if (row === null) return null;
      const { dataSourceId } = row;
      if ((await dataSource(tenant, dataSourceId)) === null) return null;
      const endedAt = reader.endedAt(dataSourceId);
      if (endedAt !== undefined) reader.noteEnd(id, endedAt);
      return row;
    },
  };
};

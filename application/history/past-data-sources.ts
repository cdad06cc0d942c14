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

  const get: DataSourceView['get'] = async (tenant, kind, id) => {
    const row = await dataSource(tenant, id);
    if (row === null || row.subject.kind !== kind) return null;
    const found = await setting(tenant, row.ingestionSettingId);
    return { row, name: found?.name ?? '', parameters: found?.parameters ?? null };
  };

  return {
    get,
    list: (tenant, kind, page, only, filter = {}) =>
      list(
        { tenant, list: kind, ...(only !== null && { ids: only }) },
        page,
        (id) => get(tenant, kind, id),
        conditionOf(filter),
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

const conditionOf = ({ status, name }: DataSourceFilter): ((found: NamedDataSource) => boolean) | undefined =>
  status === undefined && name === undefined
    ? undefined
    : (found) =>
        (status === undefined || found.row.status === status) &&
        (name === undefined || found.name.startsWith(name));

import type { Past } from '../access/past.ts';
import { dataSourceStream, sourceStream } from '../event-sourcing/streams.ts';
import type { SourceListFilter, SourceRecord } from '../ports/catalog.ts';
import { sourceFold } from '../read-models/row-folds.ts';
import type { SourceRow } from '../read-models/source-row.ts';
import { isBy } from './moment.ts';
import type { ListPast } from './past-lists.ts';
import type { PastReader } from './past-reader.ts';

/** Documents as their events tell of them: a visit that found nothing new is no event, so `lastSeenTime` is of the last change. */
export const pastSources = (reader: PastReader, list: ListPast): Past['sources'] => {
  const get = async (tenant: string, id: string): Promise<SourceRecord | null> => {
    const row = await reader.row(sourceFold, id, tenant, sourceStream(id));
    if (row === null) return null;
    const [deletion] = await reader.events(dataSourceStream(row.dataSourceId), tenant, {
      type: 'DataSourceDeletionRequested',
    });
    if (deletion !== undefined && isBy(reader.moment, deletion)) return null;
    if (deletion !== undefined) reader.noteEnd(id, deletion.recordedAt);
    return recordOf(row, row.indexed === null ? 0 : await chunksOf(tenant, id));
  };
  const chunksOf = async (tenant: string, id: string): Promise<number> => {
    const events = await reader.events(
      sourceStream(id),
      tenant,
      (event) => event.event.type === 'SourceIndexed' && isBy(reader.moment, event),
    );
    const last = events.at(-1)?.event;
    return last?.type === 'SourceIndexed' ? last.chunkSet.chunks : 0;
  };
  return {
    get,
    list: (tenant, only, filter, page, seen) =>
      list(
        {
          tenant,
          list: 'source',
          ...(filter.sourceGroupId !== undefined && { owner: filter.sourceGroupId.toLowerCase() }),
          ...(only !== null && { owners: only }),
        },
        page,
        async (id) => {
          const record = await get(tenant, id);
          return record === null || !passes(record, filter) ? null : seen(record);
        },
        () => true,
      ),
  };
};

const passes = (record: SourceRecord, filter: SourceListFilter): boolean => {
  const { sourceType, fileType, url, statuses, contains } = filter;
  return (
    (sourceType === undefined || record.sourceType === sourceType) &&
    (fileType === undefined || record.fileType === fileType) &&
    (url === undefined || record.url === url) &&
    (statuses === undefined || statuses.includes(record.status)) &&
    (contains === undefined ||
      [record.title, record.url, record.locator].some((text) =>
        text.toLowerCase().includes(contains.toLowerCase()),
      ))
  );
};

const recordOf = (row: SourceRow, contentCount: number): SourceRecord => {
  const { id, dataSourceId, sourceType, title, url, locator, status, skipReason, error, indexed, metadata } =
    row;
  return {
    id,
    sourceGroupId: dataSourceId,
    sourceType,
    title,
    url,
    locator,
    fileType: indexed?.fileType ?? null,
    language: indexed?.language ?? null,
    mediaType: indexed?.mediaType ?? null,
    size: indexed?.rawBytes ?? null,
    sha256: indexed?.rawSha256 ?? null,
    status: status === 'removed' ? 'failed' : status,
    skipReason,
    error,
    lastSeenTime: seconds(row.lastSeenAt),
    indexedTime: indexed === null ? null : seconds(indexed.indexedAt),
    contentCount,
    contentMissing: false,
    metadata,
  };
};

const seconds = (ms: number): number => Math.floor(ms / 1000);

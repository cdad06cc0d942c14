import { type EventCodec, streamIdOf } from '../../application/event-sourcing/event-codec.ts';
import { unknownCursor } from '../../application/ports/page.ts';
import type {
  DataSourceRow,
  DataSourceView,
  IngestionSettingRow,
  NamedDataSource,
} from '../../application/ports/data-source-view.ts';
import { BEGINNING, type EventFeed, type RecordedEvent } from '../../application/ports/event-store.ts';
import { type RowContext, dataSourceRow } from '../../application/read-models/data-source-row.ts';
import { ingestionSettingRow } from '../../application/read-models/ingestion-setting-row.ts';

/** What the catalog counts for a local file group, in tests that only look whether it was asked. */
export const COUNTED_CONTENTS = 7;

/**
 * Data sources and settings as their views tell them: made of the events by the row functions of the views, and never
 * behind.
 */
export const dataSourceViewOf = (feed: EventFeed, codec: EventCodec): DataSourceView => {
  const rowsOf = async <Row>(
    category: 'dataSource' | 'ingestionSetting',
    rowAfter: (row: Row | null, event: never, of: RowContext) => Row | null,
  ): Promise<readonly Row[]> => {
    const { events } = await feed.read(BEGINNING, { categories: [category] }, 100_000);
    const rows = new Map<string, Row | null>();
    for (const event of events) {
      const of = { id: streamIdOf(event.stream), tenant: tenantOf(event), revision: event.revision };
      rows.set(of.id, rowAfter(rows.get(of.id) ?? null, codec.decode(event) as never, of));
    }
    return [...rows.values()].flatMap((row) => row ?? []);
  };
  const settings = () => rowsOf<IngestionSettingRow>('ingestionSetting', ingestionSettingRow);
  /** In the order in which they were registered. */
  const living = async (tenant: string): Promise<readonly NamedDataSource[]> => {
    const [rows, named] = [await rowsOf<DataSourceRow>('dataSource', dataSourceRow), await settings()];
    return rows
      .filter((row) => row.tenant === tenant && row.status !== 'removed')
      .map((row) => {
        const setting = named.find(({ id }) => id === row.ingestionSettingId);
        return { row, name: setting?.name ?? '', parameters: setting?.parameters ?? null };
      });
  };
  return {
    get: async (tenant, kind, id) =>
      (await living(tenant)).find(({ row }) => row.id === id && row.subject.kind === kind) ?? null,
    list: async (tenant, kind, { limit, after }, only, { status, name = '' } = {}) => {
      const all = (await living(tenant))
        .filter(({ row }) => row.subject.kind === kind && (only?.includes(row.id) ?? true))
        .toReversed();
      const at = after === undefined ? 0 : all.findIndex(({ row }) => row.id === after) + 1;
      if (after !== undefined && at === 0) throw unknownCursor(after);
      const passes = (one: NamedDataSource): boolean =>
        (status === undefined || one.row.status === status) && one.name.startsWith(name);
      const left = all.slice(at).filter(passes);
      return { rows: left.slice(0, limit), hasMore: left.length > limit, total: all.filter(passes).length };
    },
    withChunkMetadataCounts: async (found) =>
      found.map((one) =>
        one.row.subject.kind === 'local_file_group' ? { ...one, chunkMetadataCount: COUNTED_CONTENTS } : one,
      ),
    getSetting: async (tenant, id) =>
      (await settings()).find((row) => row.tenant === tenant && row.id === id) ?? null,
  };
};

const tenantOf = ({ metadata }: RecordedEvent): string => metadata['tenant'] as string;

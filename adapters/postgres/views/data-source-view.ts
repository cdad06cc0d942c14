import type {
  DataSourceFilter,
  DataSourceRow,
  DataSourceView,
  IngestionSettingRow,
  NamedDataSource,
} from '../../../application/ports/data-source-view.ts';
import { type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { storable } from '../../../domain/filter/value.ts';
import type { Parameters } from '../../../domain/ingestion-setting/index.ts';
import { pageOf } from '../catalog/pages.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { type StoredRow, rowOf } from '../projections/projection.ts';
import { currentName, currentStatus } from '../read-your-writes/conditions.ts';
import { type RawBuilder, sql } from 'kysely';

interface FoundDataSource extends StoredRow<DataSourceRow> {
  readonly name: string | null;
  readonly parameters: Parameters | null;
  /** See `currentStatus`. */
  readonly status: DataSourceRow['status'];
}

const toNamed = ({ name, parameters, status, ...stored }: FoundDataSource): NamedDataSource => ({
  row: { ...rowOf<DataSourceRow>(stored), status },
  name: name ?? '',
  parameters,
});

export const createDataSourceView = (db: Sql): DataSourceView => ({
  get: async (tenant, kind, id) => {
    const { rows } = await sql<FoundDataSource>`
      select d.doc, d.revision, ${currentName} as name, s.doc->'parameters' as parameters, ${currentStatus(tenant)} as status from read.data_source d
      left join read.ingestion_setting s on s.id = d.ingestion_setting_id
      where d.id = ${id} and d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed' ${PREPARED}`.execute(
      db,
    );
    return rows[0] === undefined ? null : toNamed(rows[0]);
  },

  list: async (tenant, kind, page, only, filter = {}) => {
    const { rows } =
      await sql<ListedRow>`${listStatement(tenant, kind, page, only, filter)} ${PREPARED}`.execute(db);
    const [first] = rows;
    if (page.after !== undefined && first?.afterKnown !== true) throw unknownCursor(page.after);
    return pageOf(rows.filter(isFound).map(toNamed), page, first?.total ?? 0);
  },

  withChunkMetadataCounts: (found) => withChunkMetadataCounts(db, found),

  getSetting: async (tenant, id) => {
    const { rows } = await sql<StoredRow<IngestionSettingRow>>`
      select s.doc, s.revision from read.ingestion_setting s
      left join read.data_source d on d.id = s.data_source_id
      where s.id = ${id} and s.tenant = ${tenant} and d.status is distinct from 'removed' ${PREPARED}`.execute(
      db,
    );
    return rows[0] === undefined ? null : rowOf(rows[0]);
  },
});

/** A row of the page with the totals of the list; for an empty page, only the totals. */
interface ListedRow extends Partial<FoundDataSource> {
  readonly total: number | null;
  readonly afterKnown: boolean | null;
}

const isFound = (row: ListedRow): row is ListedRow & FoundDataSource => row.doc !== null;

/** The page, its total and whether its cursor is known: one statement, so that they are consistent. */
const listStatement = (
  tenant: string,
  kind: string,
  { limit, after }: PageRequest,
  only: readonly string[] | null,
  filter: DataSourceFilter,
): RawBuilder<unknown> => {
  const within = only === null ? sql`` : sql`and d.id = any(${only}::uuid[])`;
  const ofKind = sql`d.tenant = ${tenant} and d.kind = ${kind}`;
  const matching = sql`from read.data_source d left join read.ingestion_setting s on s.id = d.ingestion_setting_id
    where ${ofKind} and d.status <> 'removed' ${within} ${passes(tenant, filter)}`;
  const unfiltered = only === null && filter.status === undefined && filter.name === undefined;
  // A restricted key names few ids, each a lookup by primary key; filtered lists are counted.
  const total = unfiltered
    ? sql`select n from read.data_source_count where tenant = ${tenant} and list = ${kind}`
    : sql`select count(*) ${matching}`;
  // Includes removed data sources: a caller that has listed one may continue from it.
  const known =
    after === undefined
      ? sql`null::boolean`
      : sql`exists (
    select from read.data_source d where d.id = ${after} and ${ofKind} ${within})`;
  return sql`
    select list.total, list.after_known, page.doc, page.revision, page.name, page.parameters, page.status
    from (select (${total}) as total, ${known} as after_known) list
    left join (
      select d.id, d.doc, d.revision, ${currentName} as name, s.doc->'parameters' as parameters, ${currentStatus(tenant)} as status ${matching} ${after === undefined ? sql`` : sql`and d.id < ${after}`}
      order by d.id desc limit ${limit + 1}) page on true
    order by page.id desc`;
};

/** Conditions on `d` and its setting `s`. */
const passes = (tenant: string, { status, name }: DataSourceFilter): RawBuilder<unknown> => {
  const begins =
    name === undefined ? sql`` : sql`and starts_with(lower(${currentName}), lower(${storable(name)}))`;
  return status === undefined ? begins : sql`and ${currentStatus(tenant)} = ${status} ${begins}`;
};

/** See `DataSourceView.withChunkMetadataCounts`. Runs no query if no group declares keys. */
const withChunkMetadataCounts = async (
  db: Sql,
  found: readonly NamedDataSource[],
): ReturnType<DataSourceView['withChunkMetadataCounts']> => {
  const declared = found.flatMap(({ row: { id, subject } }) =>
    subject.kind === 'local_file_group'
      ? (subject.chunkMetadataKeys ?? []).map(({ key }) => ({ id, key }))
      : [],
  );
  if (declared.length === 0) return found;
  const { rows } = await sql<{ id: string; n: number }>`
    select c.data_source_id as id, count(distinct c.no) as n
    from jsonb_to_recordset(${JSON.stringify(declared)}::jsonb) as k(id uuid, key text)
    join read.content c on c.data_source_id = k.id
    join read.content_metadata m on m.content_no = c.no and m.key = k.key
    group by c.data_source_id`.execute(db);
  const counts = new Map(rows.map(({ id, n }) => [id, n]));
  return found.map((one) => ({ ...one, chunkMetadataCount: counts.get(one.row.id) ?? 0 }));
};

import { type Kysely, sql } from 'kysely';
import type { Page, PageRequest } from '../../../application/page.ts';
import type { DataSourceView, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { DataSourceRow } from '../../../application/read-models/data-source-row.ts';
import type { IngestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { rowOf } from '../projections/row-projection.ts';

interface Found {
  readonly doc: object;
  readonly revision: number;
  readonly name: string | null;
}
// oxlint-disable-next-line typescript/no-explicit-any -- the tables of the live views are named in the statements
type Db = Kysely<any>;

const named = ({ name, ...stored }: Found): NamedDataSource => ({
  row: rowOf<DataSourceRow>(stored),
  name: name ?? '',
});

export const createDataSourceView = (db: Db): DataSourceView => ({
  get: async (tenant, kind, id) => {
    const { rows } = await sql<Found>`
      select d.doc, d.revision, s.name from read.data_source d
      left join read.ingestion_setting s on s.id = d.ingestion_setting_id
      where d.id = ${id} and d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed'`.execute(db);
    return rows[0] === undefined ? null : named(rows[0]);
  },

  list: async (tenant, kind, page, only) => {
    const within = only === null ? sql`` : sql`and d.id = any(${only}::uuid[])`;
    const after = page.after === undefined ? sql`` : sql`and d.id < ${page.after}`;
    const { rows } = await sql<Found>`
      select d.doc, d.revision, s.name from read.data_source d
      left join read.ingestion_setting s on s.id = d.ingestion_setting_id
      where d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed' ${within} ${after}
      order by d.id desc limit ${page.limit + 1}`.execute(db);
    const total =
      only === null ? await counted(db, tenant, kind) : await countedWithin(db, tenant, kind, only);
    return pageOf(rows.map(named), page, total);
  },

  getSetting: async (tenant, id) => {
    const { rows } = await sql<Found>`
      select s.doc, s.revision from read.ingestion_setting s
      left join read.data_source d on d.id = s.data_source_id
      where s.id = ${id} and s.tenant = ${tenant} and d.status is distinct from 'removed'`.execute(db);
    return rows[0] === undefined ? null : rowOf<IngestionSettingRow>(rows[0]);
  },
});

const counted = async (db: Db, tenant: string, list: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select n from read.data_source_count where tenant = ${tenant} and list = ${list}`.execute(db);
  return rows[0]?.n ?? 0;
};

/** A restricted key names few ids: counting them is a look-up by primary key. */
const countedWithin = async (
  db: Db,
  tenant: string,
  kind: string,
  only: readonly string[],
): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from read.data_source
    where id = any(${only}::uuid[]) and tenant = ${tenant} and kind = ${kind} and status <> 'removed'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
};

/** A page out of one row more than was asked for. */
export const pageOf = <Row>(found: readonly Row[], { limit }: PageRequest, total: number): Page<Row> => ({
  rows: found.slice(0, limit),
  has_more: found.length > limit,
  total,
});

import { readSnapshot } from '../read-snapshot.ts';
import { pageOf } from '../catalog/pages.ts';
import type { Sql } from '../sql.ts';
import { type RawBuilder, sql } from 'kysely';
import { storable } from '../../../domain/filter/value.ts';
import { unknownCursor } from '../../../application/page.ts';
import type {
  DataSourceFilter,
  DataSourceView,
  NamedDataSource,
} from '../../../application/ports/data-source-view.ts';
import type { DataSourceRow } from '../../../application/read-models/data-source-row.ts';
import type { IngestionSettingRow } from '../../../application/read-models/ingestion-setting-row.ts';
import { rowOf, type StoredRow } from '../projections/row-projection.ts';

interface Found extends StoredRow<DataSourceRow> {
  readonly name: string | null;
}

const named = ({ name, ...stored }: Found): NamedDataSource => ({
  row: rowOf<DataSourceRow>(stored),
  name: name ?? '',
});

export const createDataSourceView = (db: Sql): DataSourceView => ({
  get: async (tenant, kind, id) => {
    const { rows } = await sql<Found>`
      select d.doc, d.revision, s.name from read.data_source d
      left join read.ingestion_setting s on s.id = d.ingestion_setting_id
      where d.id = ${id} and d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed'`.execute(db);
    return rows[0] === undefined ? null : named(rows[0]);
  },

  list: (tenant, kind, page, only, filter = {}) =>
    readSnapshot(db, async (trx) => {
      const within = only === null ? sql`` : sql`and d.id = any(${only}::uuid[])`;
      const after = page.after === undefined ? sql`` : sql`and d.id < ${page.after}`;
      if (page.after !== undefined && !(await exists(trx, tenant, kind, page.after, within))) {
        throw unknownCursor(page.after);
      }
      const passing = sql`${within} ${passes(filter)}`;
      const { rows } = await sql<Found>`
      select d.doc, d.revision, s.name from read.data_source d
      left join read.ingestion_setting s on s.id = d.ingestion_setting_id
      where d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed' ${passing} ${after}
      order by d.id desc limit ${page.limit + 1}`.execute(trx);
      const unfiltered = filter.status === undefined && filter.name === undefined;
      const total =
        only === null && unfiltered
          ? await counted(trx, tenant, kind)
          : await countedPassing(trx, tenant, kind, passing);
      return pageOf(rows.map(named), page, total);
    }),

  getSetting: async (tenant, id) => {
    const { rows } = await sql<StoredRow<IngestionSettingRow>>`
      select s.doc, s.revision from read.ingestion_setting s
      left join read.data_source d on d.id = s.data_source_id
      where s.id = ${id} and s.tenant = ${tenant} and d.status is distinct from 'removed'`.execute(db);
    return rows[0] === undefined ? null : rowOf(rows[0]);
  },
});

/** A removed one counts: whoever has listed it may go on from there. */
const exists = async (
  db: Sql,
  tenant: string,
  kind: string,
  id: string,
  within: RawBuilder<unknown>,
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from read.data_source d
    where d.id = ${id} and d.tenant = ${tenant} and d.kind = ${kind} ${within}`.execute(db);
  return rows.length > 0;
};

const counted = async (db: Sql, tenant: string, list: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select n from read.data_source_count where tenant = ${tenant} and list = ${list}`.execute(db);
  return rows[0]?.n ?? 0;
};

/** A restricted key names few ids, each a look-up by primary key; what a filter lets pass is counted. */
const countedPassing = async (
  db: Sql,
  tenant: string,
  kind: string,
  passing: RawBuilder<unknown>,
): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from read.data_source d left join read.ingestion_setting s on s.id = d.ingestion_setting_id
    where d.tenant = ${tenant} and d.kind = ${kind} and d.status <> 'removed' ${passing}`.execute(db);
  return rows[0]?.n ?? 0;
};

/** On `d` and its setting `s`. */
const passes = ({ status, name }: DataSourceFilter): RawBuilder<unknown> => {
  const begins = name === undefined ? sql`` : sql`and starts_with(s.name, ${storable(name)})`;
  return status === undefined ? begins : sql`and d.status = ${status} ${begins}`;
};

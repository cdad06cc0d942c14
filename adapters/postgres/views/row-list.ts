import { type RawBuilder, sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { orTrue, pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';

/** Views whose rows are kept whole, by id; beside the table of each, one with its name and `_count` counts its lists. */
type RowTable =
  | 'agent_run'
  | 'agent_thread'
  | 'api_key'
  | 'conversation'
  | 'redaction_policy'
  | 'secret'
  | 'webhook';

/** Which rows of a view are listed. */
interface RowQuery {
  readonly table: RowTable;
  readonly tenant: string;
  /** Under which the rows are counted that fulfil `condition`. */
  readonly list: string;
  readonly condition?: RawBuilder<boolean>;
  /** What is listed must fulfil these too, and is counted for the page then. */
  readonly filters?: readonly RawBuilder<boolean>[];
  /** Rows that the view has and nobody may see any more: those that have one of these ids there. */
  readonly gone?: { readonly column: RawBuilder<unknown>; readonly ids: RawBuilder<readonly string[]> };
}

/** A page of rows, newest first, with their number. */
export const listRows = <Row extends { readonly revision: bigint }>(
  db: Sql,
  { table, tenant, list, condition, filters = [], gone }: RowQuery,
  { after, limit }: PageRequest,
): Promise<Page<Row>> =>
  readSnapshot(db, async (trx) => {
    const from = sql.id('read', table);
    const matching = sql.join([sql`tenant = ${tenant}`, orTrue(condition), ...filters], sql` and `);
    const shown = sql`${matching} and ${gone === undefined ? sql`true` : sql`${gone.column} <> all(${gone.ids})`}`;
    const { rows } = await sql<StoredRow<Row>>`
      select doc, revision from ${from} where ${shown} and ${after === undefined ? sql`true` : sql`id < ${after}`}
      order by id desc limit ${limit + 1}`.execute(trx);
    const hidden =
      gone === undefined
        ? sql`0`
        : sql`(select count(*) from ${from} where ${gone.column} = any(${gone.ids}) and ${matching})`;
    const counted = await (
      filters.length > 0
        ? sql<{ readonly n: number }>`select count(*) as n from ${from} where ${shown}`
        : sql<{ readonly n: number }>`select n - ${hidden} as n from ${sql.id('read', `${table}_count`)}
            where tenant = ${tenant} and list = ${list}`
    ).execute(trx);
    return pageOf(rows.map(rowOf<Row>), { limit }, counted.rows[0]?.n ?? 0);
  });

/** Only what is restricted has an array of source groups there; all else has null. `only` null: any will do. */
export const withinGroups = (
  field: 'reach' | 'source_group_ids',
  only: readonly string[] | null,
): readonly RawBuilder<boolean>[] =>
  only === null
    ? []
    : [
        sql<boolean>`(jsonb_typeof(doc->${sql.lit(field)}) = 'array'
          and doc->${sql.lit(field)} <@ ${JSON.stringify(only)}::jsonb)`,
      ];

/** The records of a view, of which deleted ones keep a row. */
export interface RowList<Row> {
  /** Null for one that there is not, or no longer. */
  readonly get: (tenant: string, id: string) => Promise<Row | null>;
  /**
   * Newest first. `after` may name a deleted record: a caller that has listed one may continue from it.
   *
   * @throws DomainError invalid_cursor
   */
  readonly list: (tenant: string, page: PageRequest) => Promise<Page<Row>>;
}

export const createRowList = <Row extends { readonly revision: bigint }>(
  db: Sql,
  view: 'redaction_policy' | 'secret' | 'webhook',
): RowList<Row> => {
  const table = sql.id('read', view);
  return {
    get: async (tenant, id) => {
      const { rows } = await sql<StoredRow<Row>>`
        select doc, revision from ${table} where tenant = ${tenant} and id = ${id} and not deleted`.execute(
        db,
      );
      return rows[0] === undefined ? null : rowOf<Row>(rows[0]);
    },
    list: async (tenant, page) => {
      const { after } = page;
      if (after !== undefined) {
        const { rows } =
          await sql`select id from ${table} where tenant = ${tenant} and id = ${after}`.execute(db);
        if (rows.length === 0) throw unknownCursor(after);
      }
      return listRows<Row>(
        db,
        { table: view, tenant, list: view, condition: sql<boolean>`not deleted` },
        page,
      );
    },
  };
};

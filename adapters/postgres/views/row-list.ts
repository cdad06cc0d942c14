import { sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';

/** The records of a view whose rows are kept whole, by id. */
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

/** @param view its table, beside which one with its name and `_count` has the number of records */
export const createRowList = <Row extends { readonly revision: bigint }>(
  db: Sql,
  view: 'redaction_policy' | 'secret' | 'webhook',
): RowList<Row> => {
  const [table, counts] = [sql.id('read', view), sql.id('read', `${view}_count`)];
  return {
    get: async (tenant, id) => {
      const { rows } = await sql<StoredRow<Row>>`
        select doc, revision from ${table} where tenant = ${tenant} and id = ${id} and not deleted`.execute(
        db,
      );
      return rows[0] === undefined ? null : rowOf<Row>(rows[0]);
    },
    list: (tenant, page) =>
      readSnapshot(db, async (trx) => {
        const { after, limit } = page;
        if (after !== undefined) {
          const { rows } = await sql`
            select id from ${table} where tenant = ${tenant} and id = ${after}`.execute(trx);
          if (rows.length === 0) throw unknownCursor(after);
        }
        const { rows } = await sql<StoredRow<Row>>`
          select doc, revision from ${table} where tenant = ${tenant} and not deleted
            and ${after === undefined ? sql`true` : sql`id < ${after}`}
          order by id desc limit ${limit + 1}`.execute(trx);
        const counted = await sql<{ readonly n: number }>`
          select n from ${counts} where tenant = ${tenant} and list = ${view}`.execute(trx);
        return pageOf(rows.map(rowOf<Row>), page, counted.rows[0]?.n ?? 0);
      }),
  };
};

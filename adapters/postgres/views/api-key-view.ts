import type { ApiKeyView, ApiKeyRow } from '../../../application/ports/access-views.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { rowOf, type StoredRow } from '../projections/row-projection.ts';
import { pageOf } from '../catalog/pages.ts';
import { PREPARED } from '../prepared-statements.ts';

/** Keys without a restriction have null there, which is no array. */
const restrictedTo = (groups: readonly string[]) => sql`(jsonb_typeof(doc->'source_group_ids') = 'array'
  and doc->'source_group_ids' <@ ${JSON.stringify(groups)}::jsonb)`;

export const createApiKeyView = (db: Sql): ApiKeyView => ({
  byHash: async (keyHash) => {
    // What a mark says is newer than the view; a mark without a row closes the key.
    const { rows } = await sql<StoredRow<ApiKeyRow> | { readonly doc: null }>`
      select doc, revision from work.api_key_mark where key_hash = ${keyHash}
      union all
      select doc, revision from read.api_key where key_hash = ${keyHash} and not exists (
        select from work.api_key_mark where key_hash = ${keyHash}) ${PREPARED}`.execute(db);
    const [found] = rows;
    return found === undefined || found.doc === null ? null : rowOf<ApiKeyRow>(found);
  },
  get: async (tenant, id) => {
    const { rows } = await sql<StoredRow<ApiKeyRow>>`
      select doc, revision from read.api_key where id = ${id} and tenant = ${tenant}`.execute(db);
    return rows[0] === undefined ? null : rowOf<ApiKeyRow>(rows[0]);
  },
  list: (tenant, page, only) =>
    readSnapshot(db, async (trx) => {
      const within = only === null ? sql`` : sql`and ${restrictedTo(only)}`;
      const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
      const { rows } = await sql<StoredRow<ApiKeyRow>>`
      select doc, revision from read.api_key where tenant = ${tenant} ${within} ${after}
      order by id desc limit ${page.limit + 1}`.execute(trx);
      const counted =
        only === null
          ? sql<{ n: number }>`select n from read.api_key_count where tenant = ${tenant} and list = 'api_key'`
          : sql<{ n: number }>`select count(*) as n from read.api_key where tenant = ${tenant} ${within}`;
      const total = await counted.execute(trx);
      return pageOf(
        rows.map((found) => rowOf<ApiKeyRow>(found)),
        page,
        total.rows[0]?.n ?? 0,
      );
    }),
});

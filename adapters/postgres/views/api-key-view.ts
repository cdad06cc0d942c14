import { type Kysely, sql } from 'kysely';
import type { ApiKeyView } from '../../../application/ports/data-source-view.ts';
import type { ApiKeyRow } from '../../../application/read-models/api-key-row.ts';
import { rowOf } from '../projections/row-projection.ts';
import { pageOf } from './data-source-view.ts';

interface Found {
  readonly doc: object;
  readonly revision: number;
}
// oxlint-disable-next-line typescript/no-explicit-any -- the tables of the live views are named in the statements
type Db = Kysely<any>;

export const createApiKeyView = (db: Db): ApiKeyView => ({
  byHash: async (keyHash) => {
    const { rows } = await sql<Found>`
      select doc, revision from read.api_key where key_hash = ${keyHash}`.execute(db);
    return rows[0] === undefined ? null : rowOf<ApiKeyRow>(rows[0]);
  },
  get: async (tenant, id) => {
    const { rows } = await sql<Found>`
      select doc, revision from read.api_key where id = ${id} and tenant = ${tenant}`.execute(db);
    return rows[0] === undefined ? null : rowOf<ApiKeyRow>(rows[0]);
  },
  list: async (tenant, page) => {
    const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
    const { rows } = await sql<Found>`
      select doc, revision from read.api_key where tenant = ${tenant} ${after}
      order by id desc limit ${page.limit + 1}`.execute(db);
    const total = await sql<{ n: number }>`
      select n from read.api_key_count where tenant = ${tenant} and list = 'api_key'`.execute(db);
    return pageOf(
      rows.map((found) => rowOf<ApiKeyRow>(found)),
      page,
      total.rows[0]?.n ?? 0,
    );
  },
});

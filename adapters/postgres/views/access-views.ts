import type {
  ApiKeyRow,
  ApiKeyView,
  AuthzPolicyRow,
  AuthzSubjectRow,
  AuthzView,
  NamedPageRequest,
} from '../../../application/ports/access-views.ts';
import type { Page } from '../../../application/ports/page.ts';
import { storable } from '../../../domain/filter/value.ts';
import { countOf, pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { type StoredRow, rowOf } from '../projections/projection.ts';
import { type RawBuilder, sql } from 'kysely';

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

export const createAuthzView = (db: Sql): AuthzView => ({
  policies: (tenant, page) =>
    readSnapshot(db, (trx) =>
      listed(trx, tenant, page, sql<AuthzPolicyRow>`read.authz_policy`, sql`read.authz_policy_count`),
    ),
  subjects: (tenant, page) =>
    readSnapshot(db, (trx) =>
      listed(trx, tenant, page, sql<AuthzSubjectRow>`read.authz_subject`, sql`read.authz_subject_count`),
    ),
});

/** Rows of a view whose documents are `Row`s, by name. */
const listed = async <Row extends { readonly revision: bigint }>(
  db: Sql,
  tenant: string,
  page: NamedPageRequest,
  table: RawBuilder<Row>,
  counter: RawBuilder<unknown>,
): Promise<Page<Row>> => {
  const after = page.after === undefined ? sql`true` : sql`name > ${storable(page.after)} collate "C"`;
  const { rows } = await sql<StoredRow<Row>>`
    select doc, revision from ${table} where tenant = ${tenant} and ${after}
    order by name limit ${page.limit + 1}`.execute(db);
  const total = await countOf(db, sql<{ n: number }>`select n from ${counter} where tenant = ${tenant}`);
  return pageOf(
    rows.map((found) => rowOf<Row>(found)),
    page,
    total,
  );
};

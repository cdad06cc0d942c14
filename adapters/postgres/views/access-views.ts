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
import { pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Database, Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { type StoredRow, rowOf } from '../projections/projection.ts';
import { listRows, withinGroups } from './row-list.ts';
import { type SelectQueryBuilder, sql } from 'kysely';

export const createApiKeyView = (db: Sql): ApiKeyView => ({
  byHash: async (keyHash) => {
    // An overlaid row is newer than the view; one without a document revokes the key.
    const { rows } = await sql<StoredRow<ApiKeyRow> | { readonly doc: null }>`
      select doc, revision from work.api_key_mark where key_hash = ${keyHash}
      union all
      select doc, revision from read.api_key where key_hash = ${keyHash} and not exists (
        select from work.api_key_mark where key_hash = ${keyHash}) ${PREPARED}`.execute(db);
    const [found] = rows;
    return found === undefined || found.doc === null ? null : rowOf<ApiKeyRow>(found);
  },
  get: async (tenant, id) => {
    const found = await db
      .selectFrom('read.apiKey')
      .select(['doc', 'revision'])
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    return found === undefined ? null : rowOf<ApiKeyRow>(found);
  },
  list: (tenant, page, only) => {
    const filters = withinGroups('source_group_ids', only);
    return listRows<ApiKeyRow>(db, { table: 'api_key', tenant, list: 'api_key', filters }, page);
  },
});

export const createAuthzView = (db: Sql): AuthzView => ({
  policies: (tenant, page) =>
    readSnapshot(db, (trx) =>
      namedPage<AuthzPolicyRow>(
        page,
        trx.selectFrom('read.authzPolicy').where('tenant', '=', tenant),
        trx.selectFrom('read.authzPolicyCount').where('tenant', '=', tenant),
      ),
    ),
  subjects: (tenant, page) =>
    readSnapshot(db, (trx) =>
      namedPage<AuthzSubjectRow>(
        page,
        trx.selectFrom('read.authzSubject').where('tenant', '=', tenant),
        trx.selectFrom('read.authzSubjectCount').where('tenant', '=', tenant),
      ),
    ),
});

/** One page, ordered by name, whose documents are `Row`s. */
const namedPage = async <Row extends { readonly revision: bigint }>(
  page: NamedPageRequest,
  table: SelectQueryBuilder<Database, 'read.authzPolicy' | 'read.authzSubject', object>,
  counter: SelectQueryBuilder<Database, 'read.authzPolicyCount' | 'read.authzSubjectCount', object>,
): Promise<Page<Row>> => {
  const rows = await table
    .select(['doc', 'revision'])
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`name > ${storable(page.after!)} collate "C"`),
    )
    .orderBy('name')
    .limit(page.limit + 1)
    .execute();
  const total = await counter.select('n').executeTakeFirst();
  return pageOf(
    rows.map((found) => rowOf<Row>(found as unknown as StoredRow<Row>)),
    page,
    total?.n ?? 0,
  );
};

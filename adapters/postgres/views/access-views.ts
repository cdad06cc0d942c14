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
import { type SelectQueryBuilder, sql } from 'kysely';

/** Only restricted keys have an array there; others have null. */
const restrictedTo = (
  groups: readonly string[],
) => sql<boolean>`(jsonb_typeof(doc->'source_group_ids') = 'array'
  and doc->'source_group_ids' <@ ${JSON.stringify(groups)}::jsonb)`;

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
    const found = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst();
    return found === undefined ? null : rowOf<ApiKeyRow>(found);
  },
  list: (tenant, page, only) =>
    readSnapshot(db, async (trx) => {
      const { after, limit } = page;
      const within = only === null ? sql<boolean>`true` : restrictedTo(only);
      const rows = await rowsOf(trx, tenant)
        .where(within)
        .$if(after !== undefined, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const total =
        only === null
          ? trx
              .selectFrom('read.apiKeyCount')
              .select('n')
              .where('tenant', '=', tenant)
              .where('list', '=', 'api_key')
          : trx
              .selectFrom('read.apiKey')
              .select(({ fn }) => fn.countAll<number>().as('n'))
              .where('tenant', '=', tenant)
              .where(within);
      return pageOf(rows.map(rowOf<ApiKeyRow>), page, (await total.executeTakeFirst())?.n ?? 0);
    }),
});

const rowsOf = (db: Sql, tenant: string) =>
  db.selectFrom('read.apiKey').select(['doc', 'revision']).where('tenant', '=', tenant);

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

import { type RawBuilder, sql } from 'kysely';
import type {
  AuthzView,
  NamedPageRequest,
  AuthzPolicyRow,
  AuthzSubjectRow,
} from '../../../application/ports/access-views.ts';
import type { Page } from '../../../application/ports/page.ts';
import { storable } from '../../../domain/filter/value.ts';
import { countOf, pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/row-projection.ts';

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

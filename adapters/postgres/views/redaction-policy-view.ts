import { sql } from 'kysely';
import { unknownCursor } from '../../../application/ports/page.ts';
import type {
  RedactionPolicyRow,
  RedactionPolicyView,
} from '../../../application/ports/redaction-policy-view.ts';
import { pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';

export const createRedactionPolicyView = (db: Sql): RedactionPolicyView => ({
  get: async (tenant, id) => {
    const found = await existing(db, tenant).where('id', '=', id).executeTakeFirst();
    return found === undefined ? null : rowOf<RedactionPolicyRow>(found);
  },
  list: (tenant, page) =>
    readSnapshot(db, async (trx) => {
      const { after, limit } = page;
      if (after !== undefined && !(await everExisted(trx, tenant, after))) throw unknownCursor(after);
      const rows = await existing(trx, tenant)
        .$if(after !== undefined, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const total = await trx
        .selectFrom('read.redactionPolicyCount')
        .select('n')
        .where('tenant', '=', tenant)
        .where('list', '=', 'redaction_policy')
        .executeTakeFirst();
      return pageOf(rows.map(rowOf<RedactionPolicyRow>), page, total?.n ?? 0);
    }),
  rulesFor: async (tenant, stage) => {
    // An overlaid policy is in force before the view contains it.
    const { rows } = await sql<StoredRow<RedactionPolicyRow>>`
      select doc, revision from (
        select distinct on (id) id, doc, revision from (
          select id, doc, revision from read.redaction_policy where tenant = ${tenant}
          union all
          select id, doc, revision from work.row_mark where tenant = ${tenant} and view = 'redaction_policy'
        ) as told order by id, revision desc
      ) as last
      where not (doc->>'deleted')::boolean and doc->'applies_to' ? ${stage} order by id`.execute(db);
    return rows.flatMap((found) => rowOf<RedactionPolicyRow>(found).rules);
  },
});

const existing = (db: Sql, tenant: string) =>
  db
    .selectFrom('read.redactionPolicy')
    .select(['doc', 'revision'])
    .where('tenant', '=', tenant)
    .where('deleted', '=', false);

/** Includes deleted policies: a caller that has listed one may continue from it. */
const everExisted = async (db: Sql, tenant: string, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('read.redactionPolicy')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
};

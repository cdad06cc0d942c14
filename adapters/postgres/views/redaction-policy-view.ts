import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { unknownCursor } from '../../../application/ports/page.ts';
import type {
  RedactionPolicyView,
  RedactionPolicyRow,
} from '../../../application/ports/redaction-policy-view.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';
import { pageOf } from '../catalog/pages.ts';

export const createRedactionPolicyView = (db: Sql): RedactionPolicyView => ({
  get: async (tenant, id) => {
    const { rows } = await sql<StoredRow<RedactionPolicyRow>>`
      select doc, revision from read.redaction_policy
      where id = ${id} and tenant = ${tenant} and not deleted`.execute(db);
    return rows[0] === undefined ? null : rowOf<RedactionPolicyRow>(rows[0]);
  },
  list: (tenant, page) =>
    readSnapshot(db, async (trx) => {
      const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
      if (page.after !== undefined && !(await wasThere(trx, tenant, page.after)))
        throw unknownCursor(page.after);
      const { rows } = await sql<StoredRow<RedactionPolicyRow>>`
      select doc, revision from read.redaction_policy where tenant = ${tenant} and not deleted ${after}
      order by id desc limit ${page.limit + 1}`.execute(trx);
      const total = await sql<{ n: number }>`
      select n from read.redaction_policy_count
      where tenant = ${tenant} and list = 'redaction_policy'`.execute(trx);
      return pageOf(
        rows.map((found) => rowOf<RedactionPolicyRow>(found)),
        page,
        total.rows[0]?.n ?? 0,
      );
    }),
  rulesFor: async (tenant, stage) => {
    // What a mark says is in force before the view knows it.
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

const wasThere = async (db: Sql, tenant: string, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from read.redaction_policy where tenant = ${tenant} and id = ${id}`.execute(db);
  return rows.length > 0;
};

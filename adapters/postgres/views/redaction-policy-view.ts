import { sql } from 'kysely';
import type {
  RedactionPolicyRow,
  RedactionPolicyView,
} from '../../../application/ports/redaction-policy-view.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';
import { createRowList } from './row-list.ts';

export const createRedactionPolicyView = (db: Sql): RedactionPolicyView => ({
  ...createRowList<RedactionPolicyRow>(db, 'redaction_policy'),
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

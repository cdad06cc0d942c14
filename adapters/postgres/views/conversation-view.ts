import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { ConversationView, ConversationRow } from '../../../application/ports/conversation-view.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';
import { readSnapshot } from '../connection.ts';
import { pageOf } from '../catalog/pages.ts';
import { goneConversations } from '../read-your-writes/conditions.ts';

/** Conversations that reach everything have null there, which is no array. */
const withinGroups = (groups: readonly string[]) => sql`(jsonb_typeof(doc->'source_group_ids') = 'array'
  and doc->'source_group_ids' <@ ${JSON.stringify(groups)}::jsonb)`;

export const createConversationView = (db: Sql): ConversationView => ({
  list: (tenant, principalId, page, only) =>
    readSnapshot(db, async (trx) => {
      // No principal is called '': see the projection.
      const principal = principalId ?? '';
      const within = only === null ? sql`` : sql`and ${withinGroups(only)}`;
      const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
      const { rows } = await sql<StoredRow<ConversationRow>>`
        select doc, revision from read.conversation
        where tenant = ${tenant} and principal = ${principal} ${within} ${after}
          and id <> all(${goneConversations(tenant)})
        order by id desc limit ${page.limit + 1}`.execute(trx);
      const counted =
        only === null
          ? sql<{ n: number }>`
              select n - (
                select count(*) from read.conversation c where c.id = any(${goneConversations(tenant)})
                  and c.tenant = ${tenant} and c.principal = ${principal}) as n
              from read.conversation_count where tenant = ${tenant} and list = ${principal}`
          : sql<{ n: number }>`
              select count(*) as n from read.conversation
              where tenant = ${tenant} and principal = ${principal} ${within}
                and id <> all(${goneConversations(tenant)})`;
      const total = await counted.execute(trx);
      return pageOf(
        rows.map((found) => rowOf<ConversationRow>(found)),
        page,
        total.rows[0]?.n ?? 0,
      );
    }),
});

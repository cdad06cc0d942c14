import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { ConversationView, ConversationRow } from '../../../application/ports/conversation-view.ts';
import { rowOf } from '../projections/projection.ts';
import { readSnapshot } from '../connection.ts';
import { pageOf } from '../catalog/pages.ts';
import { removedConversations } from '../read-your-writes/conditions.ts';

/** Only restricted conversations have an array there; others have null. */
const withinGroups = (
  groups: readonly string[],
) => sql<boolean>`(jsonb_typeof(doc->'source_group_ids') = 'array'
  and doc->'source_group_ids' <@ ${JSON.stringify(groups)}::jsonb)`;

export const createConversationView = (db: Sql): ConversationView => ({
  list: (tenant, principalId, page, only) =>
    readSnapshot(db, async (trx) => {
      // '' cannot be the id of a principal: see the projection.
      const principal = principalId ?? '';
      const { after, limit } = page;
      const listed = trx
        .selectFrom('read.conversation')
        .where('tenant', '=', tenant)
        .where('principal', '=', principal)
        .$if(only !== null, (query) => query.where(withinGroups(only!)))
        .where('id', '<>', sql<string>`all(${removedConversations(tenant)})`);
      const rows = await listed
        .select(['doc', 'revision'])
        .$if(after !== undefined, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const total =
        only === null
          ? trx
              .selectFrom('read.conversationCount')
              .select(
                sql<number>`n - (
                  select count(*) from read.conversation c where c.id = any(${removedConversations(tenant)})
                    and c.tenant = ${tenant} and c.principal = ${principal})`.as('n'),
              )
              .where('tenant', '=', tenant)
              .where('list', '=', principal)
          : listed.select(({ fn }) => fn.countAll<number>().as('n'));
      const counted = await total.executeTakeFirst();
      return pageOf(rows.map(rowOf<ConversationRow>), page, counted?.n ?? 0);
    }),
});

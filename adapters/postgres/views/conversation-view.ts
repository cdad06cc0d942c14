import { sql } from 'kysely';
import type { ConversationRow, ConversationView } from '../../../application/ports/conversation-view.ts';
import type { Sql } from '../database-schema.ts';
import { removedConversations } from '../read-your-writes/conditions.ts';
import { listRows, withinGroups } from './row-list.ts';

export const createConversationView = (db: Sql): ConversationView => ({
  list: (tenant, principalId, page, only) => {
    // '' cannot be the id of a principal: see the projection.
    const principal = principalId ?? '';
    const query = {
      table: 'conversation',
      tenant,
      list: principal,
      condition: sql<boolean>`principal = ${principal}`,
      filters: withinGroups('source_group_ids', only),
      gone: { column: sql`id`, ids: removedConversations(tenant) },
    } as const;
    return listRows<ConversationRow>(db, query, page);
  },
});

import { type ConversationEvent, union } from '../../domain/conversation/index.ts';
import type { ConversationRow } from '../ports/conversation-view.ts';
import type { RowContext } from './data-source-row.ts';

/** Null: deleted. */
export const conversationRow = (
  row: ConversationRow | null,
  event: ConversationEvent,
  { id, tenant, revision }: RowContext,
): ConversationRow | null => {
  if (row !== null && row.revision >= revision) return row;
  switch (event.type) {
    case 'ConversationStarted': {
      const { principal_id, at } = event;
      const nothing = { source_group_ids: [], message_count: 0 };
      return { id, tenant, principal_id, ...nothing, created_at: at, updated_at: at, revision };
    }
    case 'UserMessageAdded': {
      const { message_count, ...rest } = the(row);
      return { ...rest, message_count: message_count + 1, updated_at: event.at, revision };
    }
    case 'AnswerBegun': {
      const { message_count, source_group_ids: before, ...rest } = the(row);
      const source_group_ids = union(before, event.source_group_ids);
      const counted = { source_group_ids, message_count: message_count + 1 };
      return { ...rest, ...counted, updated_at: event.at, revision };
    }
    case 'AnswerFinished':
    case 'AnswerFailed':
      return { ...the(row), updated_at: event.at, revision };
    case 'ConversationDeleted':
      return null;
  }
};

const the = (row: ConversationRow | null): ConversationRow => {
  if (row === null) throw new Error('a message before ConversationStarted');
  return row;
};

export const conversationRowOf = (
  history: readonly ConversationEvent[],
  id: string,
  tenant: string,
): ConversationRow | null =>
  history.reduce<ConversationRow | null>(
    (row, event, i) => conversationRow(row, event, { id, tenant, revision: BigInt(i) }),
    null,
  );

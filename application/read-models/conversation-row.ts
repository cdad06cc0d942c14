import type { ConversationEvent } from '../../domain/conversation/index.ts';
import { union } from '../../domain/shared/reach.ts';
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
      const { principalId, at } = event;
      const nothing = { sourceGroupIds: [], messageCount: 0 };
      return { id, tenant, principalId, ...nothing, createdAt: at, updatedAt: at, revision };
    }
    case 'UserMessageAdded': {
      const { messageCount, ...rest } = the(row);
      return { ...rest, messageCount: messageCount + 1, updatedAt: event.at, revision };
    }
    case 'AnswerBegun': {
      const { messageCount, sourceGroupIds: before, ...rest } = the(row);
      const sourceGroupIds = union(before, event.sourceGroupIds);
      const counted = { sourceGroupIds, messageCount: messageCount + 1 };
      return { ...rest, ...counted, updatedAt: event.at, revision };
    }
    case 'AnswerFinished':
    case 'AnswerFailed':
      return { ...the(row), updatedAt: event.at, revision };
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

import {
  ANSWER_STATUS_AFTER,
  type AnswerStatus,
  type ConversationEvent,
  type TokenUsage,
} from '../../domain/conversation/index.ts';
import { union } from '../../domain/shared/reach.ts';
import type { ConversationRow } from '../ports/conversation-view.ts';
import type { RowContext } from './data-source-row.ts';

/** Returns null for a deleted conversation. */
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
      const { messageCount, firstQuestionId = event.messageId, ...rest } = the(row);
      return { ...rest, firstQuestionId, messageCount: messageCount + 1, updatedAt: event.at, revision };
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
  if (row === null) throw new Error('message event before ConversationStarted');
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

interface Said {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}
export interface Question extends Said {
  readonly role: 'user';
  readonly parentId: string | null;
}
export interface Answer extends Said {
  readonly role: 'assistant';
  readonly parentId: string;
  readonly status: AnswerStatus;
  /** Set for a finished answer. */
  readonly ending: {
    readonly finishReason: string;
    readonly model: string;
    readonly usage: TokenUsage | null;
    readonly citedContentIds: readonly string[];
    readonly cut: boolean;
  } | null;
  /** Set for a failed answer. */
  readonly errorCode: string | null;
}
export type ConversationMessage = Question | Answer;

/** The messages of a history, oldest first; each message follows its parent. */
export const messagesOf = (history: readonly ConversationEvent[]): readonly ConversationMessage[] => {
  const messages = new Map<string, ConversationMessage>();
  for (const event of history) {
    const message = 'messageId' in event ? after(messages.get(event.messageId), event) : undefined;
    if (message !== undefined) messages.set(message.id, message);
  }
  return [...messages.values()];
};

type MessageEvent = Extract<ConversationEvent, { readonly messageId: string }>;

const after = (before: ConversationMessage | undefined, event: MessageEvent): ConversationMessage => {
  const { messageId: id, at: createdAt } = event;
  switch (event.type) {
    case 'UserMessageAdded':
      return { role: 'user', id, parentId: event.parentId, createdAt };
    case 'AnswerBegun': {
      const status = ANSWER_STATUS_AFTER[event.type];
      const open = { status, ending: null, errorCode: null };
      return { role: 'assistant', id, parentId: event.parentId, ...open, createdAt };
    }
    case 'AnswerFinished': {
      const { type, messageId: _, at: __, ...ending } = event;
      return { ...begun(before), status: ANSWER_STATUS_AFTER[type], ending };
    }
    case 'AnswerFailed':
      return { ...begun(before), status: ANSWER_STATUS_AFTER[event.type], errorCode: event.code };
  }
};

const begun = (message: ConversationMessage | undefined): Answer => {
  if (message?.role === 'assistant') return message;
  throw new Error('end of an answer before AnswerBegun');
};

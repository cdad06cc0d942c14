import {
  ANSWER_STATUS_AFTER,
  type AnswerStatus,
  type ConversationEvent,
  type TokenUsage,
} from '../../domain/conversation/index.ts';

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
  /** What is known of a finished one. */
  readonly ending: {
    readonly finishReason: string;
    readonly model: string;
    readonly usage: TokenUsage | null;
    readonly citedContentIds: readonly string[];
    readonly cut: boolean;
  } | null;
  /** Of a failed one. */
  readonly errorCode: string | null;
}
export type ConversationMessage = Question | Answer;

/** The messages of a history, the eldest first: each after its parent. */
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
  throw new Error('the end of an answer that was never begun');
};

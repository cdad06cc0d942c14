import {
  ANSWER_STATUS_AFTER,
  type AnswerStatus,
  type ConversationEvent,
  type TokenUsage,
} from '../../domain/conversation/index.ts';

interface Said {
  readonly id: string;
  /** Unix milliseconds. */
  readonly created_at: number;
}
export interface Question extends Said {
  readonly role: 'user';
  readonly parent_id: string | null;
}
export interface Answer extends Said {
  readonly role: 'assistant';
  readonly parent_id: string;
  readonly status: AnswerStatus;
  /** What is known of a finished one. */
  readonly ending: {
    readonly finish_reason: string;
    readonly model: string;
    readonly usage: TokenUsage | null;
    readonly cited_content_ids: readonly string[];
    readonly cut: boolean;
  } | null;
  /** Of a failed one. */
  readonly error_code: string | null;
}
export type ConversationMessage = Question | Answer;

/** The messages of a history, the eldest first: each after its parent. */
export const messagesOf = (history: readonly ConversationEvent[]): readonly ConversationMessage[] => {
  const messages = new Map<string, ConversationMessage>();
  for (const event of history) {
    const message = 'message_id' in event ? after(messages.get(event.message_id), event) : undefined;
    if (message !== undefined) messages.set(message.id, message);
  }
  return [...messages.values()];
};

type MessageEvent = Extract<ConversationEvent, { readonly message_id: string }>;

const after = (before: ConversationMessage | undefined, event: MessageEvent): ConversationMessage => {
  const { message_id: id, at: created_at } = event;
  switch (event.type) {
    case 'UserMessageAdded':
      return { role: 'user', id, parent_id: event.parent_id, created_at };
    case 'AnswerBegun': {
      const status = ANSWER_STATUS_AFTER[event.type];
      const open = { status, ending: null, error_code: null };
      return { role: 'assistant', id, parent_id: event.parent_id, ...open, created_at };
    }
    case 'AnswerFinished': {
      const { type, message_id: _, at: __, ...ending } = event;
      return { ...begun(before), status: ANSWER_STATUS_AFTER[type], ending };
    }
    case 'AnswerFailed':
      return { ...begun(before), status: ANSWER_STATUS_AFTER[event.type], error_code: event.code };
  }
};

const begun = (message: ConversationMessage | undefined): Answer => {
  if (message?.role === 'assistant') return message;
  throw new Error('the end of an answer that was never begun');
};

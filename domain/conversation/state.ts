import { union } from '../shared/reach.ts';
import { ANSWER_STATUS_AFTER, type AnswerStatus } from './answer-status.ts';
import type { ConversationEvent } from './events.ts';

export type Message =
  | { readonly role: 'user'; readonly id: string; readonly parentId: string | null }
  | {
      readonly role: 'assistant';
      readonly id: string;
      readonly parentId: string;
      readonly status: AnswerStatus;
    };
/** By id, in the order in which they were added: a message always follows its parent. */
export type Messages = ReadonlyMap<string, Message>;

interface Owned {
  readonly principalId: string | null;
  /** The source groups that texts of its answers may come from; null for all. */
  readonly sourceGroupIds: readonly string[] | null;
}
export type ConversationState =
  | { readonly status: 'none' }
  | (Owned & { readonly status: 'open'; readonly messages: Messages })
  | (Owned & { readonly status: 'deleted' });
export type OpenConversation = Extract<ConversationState, { status: 'open' }>;

export const initial: ConversationState = { status: 'none' };

export const evolve = (state: ConversationState, event: ConversationEvent): ConversationState => {
  switch (event.type) {
    case 'ConversationStarted': {
      const { principalId } = event;
      return { status: 'open', principalId, sourceGroupIds: [], messages: new Map() };
    }
    case 'UserMessageAdded': {
      const { messageId: id, parentId } = event;
      return withMessage(open(state), { role: 'user', id, parentId });
    }
    case 'AnswerBegun': {
      const { messageId: id, parentId } = event;
      const status = ANSWER_STATUS_AFTER[event.type];
      const conversation = open(state);
      const sourceGroupIds = union(conversation.sourceGroupIds, event.sourceGroupIds);
      return withMessage({ ...conversation, sourceGroupIds }, { role: 'assistant', id, parentId, status });
    }
    case 'AnswerFinished':
    case 'AnswerFailed': {
      const answer = open(state).messages.get(event.messageId);
      if (answer?.role !== 'assistant') throw new Error(`${event.type} of an answer that was never begun`);
      return withMessage(open(state), { ...answer, status: ANSWER_STATUS_AFTER[event.type] });
    }
    case 'ConversationDeleted': {
      const { principalId, sourceGroupIds } = open(state);
      return { status: 'deleted', principalId, sourceGroupIds };
    }
  }
};

const withMessage = (conversation: OpenConversation, message: Message): OpenConversation => ({
  ...conversation,
  messages: new Map(conversation.messages).set(message.id, message),
});

const open = (state: ConversationState): OpenConversation => {
  if (state.status === 'open') return state;
  throw new Error('an event of a conversation that does not exist');
};

import { DomainError } from '../shared/domain-error.ts';
import type { AddUserMessage, BeginAnswer, ConversationCommand, StartConversation } from './commands.ts';
import type { AnswerBegun, ConversationEvent } from './events.ts';
import type { ConversationState, Message, OpenConversation } from './state.ts';
import { isAnswer, newestAnswer, newestQuestion } from './tree.ts';

/** Idempotent for the same ids. After a deletion the conversation is not found. */
export const decide = (
  command: ConversationCommand,
  state: ConversationState,
): readonly ConversationEvent[] => {
  switch (command.type) {
    case 'start':
      return start(command, state);
    case 'add_user_message':
      return addUserMessage(command, visible(state, command.principalId));
    case 'begin_answer':
      return beginAnswer(command, visible(state, command.principalId));
    case 'finish_answer': {
      const { type: _, answerId: messageId, ...facts } = command;
      const { status } = answer(messageId, mustBeOpen(state));
      if (status === 'failed') throw new DomainError('conflict', 'this answer has already failed');
      return status === 'finished' ? [] : [{ type: 'AnswerFinished', messageId, ...facts }];
    }
    case 'fail_answer': {
      const { answerId: messageId, code, at } = command;
      // A finished answer stays finished, even if the sender of the command did not know.
      if (answer(messageId, mustBeOpen(state)).status !== 'pending') return [];
      return [{ type: 'AnswerFailed', messageId, code, at }];
    }
    case 'delete':
      visible(state, command.principalId);
      return [{ type: 'ConversationDeleted', at: command.at }];
  }
};

/** @throws DomainError not_found unless the conversation exists and belongs to this principal */
export const visible = (state: ConversationState, principalId: string | null): OpenConversation => {
  const conversation = mustBeOpen(state);
  if (conversation.principalId !== principalId) throw noSuchConversation();
  return conversation;
};

/** One error for a conversation that does not exist, is deleted, or belongs to another principal. */
export const noSuchConversation = (): DomainError =>
  new DomainError('not_found', 'there is no such conversation');

const mustBeOpen = (state: ConversationState): OpenConversation => {
  if (state.status !== 'open') throw noSuchConversation();
  return state;
};

const start = (command: StartConversation, state: ConversationState): readonly ConversationEvent[] => {
  const { principalId, messageId, at } = command;
  if (state.status === 'none') {
    return [
      { type: 'ConversationStarted', principalId, at },
      { type: 'UserMessageAdded', messageId, parentId: null, at },
      answerBegun(command, messageId),
    ];
  }
  if (visible(state, principalId).messages.has(messageId)) return [];
  throw new DomainError('conflict', 'this conversation was started with another message');
};

const addUserMessage = (
  command: AddUserMessage,
  { messages }: OpenConversation,
): readonly ConversationEvent[] => {
  const { messageId, at } = command;
  if (messages.has(messageId)) return [];
  const parentId = command.parentId === undefined ? newestAnswer(messages) : command.parentId;
  if (parentId !== null) mustTakeQuestion(known(parentId, messages));
  return [{ type: 'UserMessageAdded', messageId, parentId, at }, answerBegun(command, messageId)];
};

const beginAnswer = (command: BeginAnswer, { messages }: OpenConversation): readonly ConversationEvent[] => {
  if (messages.has(command.answerId)) return [];
  const message = known(command.parentId ?? newestQuestion(messages), messages);
  if (message.role === 'user') return [answerBegun(command, message.id)];
  throw new DomainError(
    'invalid_request',
    'regenerate takes the user message to answer again as parent_message_id, not an answer',
  );
};

const answerBegun = (
  { answerId: messageId, sourceGroupIds, at }: StartConversation | AddUserMessage | BeginAnswer,
  parentId: string,
): AnswerBegun => ({ type: 'AnswerBegun', messageId, parentId, sourceGroupIds, at });

const mustTakeQuestion = (parent: Message): void => {
  if (parent.role === 'user') {
    throw new DomainError(
      'invalid_request',
      'parent_message_id takes the answer that the message continues; to answer a user message again, send regenerate',
    );
  }
  if (!isAnswer(parent)) {
    throw new DomainError(
      'conflict',
      'the answer named by parent_message_id is not finished: branch at an earlier one, or regenerate it',
    );
  }
};

const known = (id: string | null, messages: OpenConversation['messages']): Message => {
  const message = id === null ? undefined : messages.get(id);
  if (message === undefined)
    throw new DomainError('not_found', 'there is no such message in the conversation');
  return message;
};

const answer = (id: string, { messages }: OpenConversation): Extract<Message, { role: 'assistant' }> => {
  const message = messages.get(id);
  if (message?.role === 'assistant') return message;
  throw new DomainError('not_found', 'there is no such answer in the conversation');
};

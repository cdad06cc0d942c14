import { DomainError } from '../shared/domain-error.ts';
import type { AddUserMessage, BeginAnswer, ConversationCommand, StartConversation } from './commands.ts';
import type { AnswerBegun, ConversationEvent } from './events.ts';
import type { ConversationState, Message, OpenConversation } from './state.ts';
import { isAnswer, newestAnswer, newestQuestion } from './tree.ts';

/** A command that is repeated with the ids that it had leads to nothing; after a deletion nothing is found any more. */
export const decide = (
  command: ConversationCommand,
  state: ConversationState,
): readonly ConversationEvent[] => {
  switch (command.type) {
    case 'start':
      return start(command, state);
    case 'add_user_message':
      return addUserMessage(command, visible(state, command.principal_id));
    case 'begin_answer':
      return beginAnswer(command, visible(state, command.principal_id));
    case 'finish_answer': {
      const { type: _, answer_id: message_id, ...facts } = command;
      const { status } = answer(message_id, living(state));
      if (status === 'failed') throw new DomainError('conflict', 'this answer was given up before');
      return status === 'finished' ? [] : [{ type: 'AnswerFinished', message_id, ...facts }];
    }
    case 'fail_answer': {
      const { answer_id: message_id, code, at } = command;
      // One that was finished stays so: truth wins over whoever did not hear of it.
      if (answer(message_id, living(state)).status !== 'pending') return [];
      return [{ type: 'AnswerFailed', message_id, code, at }];
    }
    case 'delete':
      visible(state, command.principal_id);
      return [{ type: 'ConversationDeleted', at: command.at }];
  }
};

/** @throws DomainError not_found unless the conversation is there and held on behalf of this principal */
export const visible = (state: ConversationState, principal_id: string | null): OpenConversation => {
  const conversation = living(state);
  if (conversation.principal_id !== principal_id) throw noSuchConversation();
  return conversation;
};

/** One answer for what is absent, deleted, or another's. */
export const noSuchConversation = (): DomainError =>
  new DomainError('not_found', 'there is no such conversation');

const living = (state: ConversationState): OpenConversation => {
  if (state.status !== 'open') throw noSuchConversation();
  return state;
};

const start = (command: StartConversation, state: ConversationState): readonly ConversationEvent[] => {
  const { principal_id, message_id, at } = command;
  if (state.status === 'none') {
    return [
      { type: 'ConversationStarted', principal_id, at },
      { type: 'UserMessageAdded', message_id, parent_id: null, at },
      begun(command, message_id),
    ];
  }
  if (visible(state, principal_id).messages.has(message_id)) return [];
  throw new DomainError('conflict', 'this conversation was started with another message');
};

const addUserMessage = (
  command: AddUserMessage,
  { messages }: OpenConversation,
): readonly ConversationEvent[] => {
  const { message_id, at } = command;
  if (messages.has(message_id)) return [];
  const parent_id = command.parent_id === undefined ? newestAnswer(messages) : command.parent_id;
  if (parent_id !== null) mustTakeQuestion(known(parent_id, messages));
  return [{ type: 'UserMessageAdded', message_id, parent_id, at }, begun(command, message_id)];
};

const beginAnswer = (command: BeginAnswer, { messages }: OpenConversation): readonly ConversationEvent[] => {
  if (messages.has(command.answer_id)) return [];
  const message = known(command.parent_id ?? newestQuestion(messages), messages);
  if (message.role === 'user') return [begun(command, message.id)];
  throw new DomainError(
    'invalid_request',
    'regenerate takes the user message to answer again as parent_message_id, not an answer',
  );
};

const begun = (
  { answer_id: message_id, source_group_ids, at }: StartConversation | AddUserMessage | BeginAnswer,
  parent_id: string,
): AnswerBegun => ({ type: 'AnswerBegun', message_id, parent_id, source_group_ids, at });

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

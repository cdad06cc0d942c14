import type { Decider } from '../shared/decider.ts';
import type { ConversationCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { ConversationEvent } from './events.ts';
import { type ConversationState, evolve, initial } from './state.ts';

export const conversation: Decider<
  ConversationCommand,
  ConversationEvent,
  ConversationState,
  'conversation'
> = {
  category: 'conversation',
  initial,
  decide,
  evolve,
};
export { ANSWER_STATUS_AFTER, ANSWER_STATUSES, type AnswerStatus } from './answer-status.ts';
export type * from './commands.ts';
export { noSuchConversation, visible } from './decide.ts';
export type * from './events.ts';
export { type ConversationState, type Message, type Messages, type OpenConversation } from './state.ts';
export { newestAnswer, pathTo } from './tree.ts';

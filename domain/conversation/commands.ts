import type { AnswerFinished } from './events.ts';

interface Command {
  /** The principal of the caller, who must own the conversation; null for none. */
  readonly principalId: string | null;
  readonly at: number;
}
interface Answer {
  /** Id of the answer that starts with this command. */
  readonly answerId: string;
  /** The reach of the caller's key; null for every source group. */
  readonly sourceGroupIds: readonly string[] | null;
}
/** The first message of a conversation that must not exist yet. */
export interface StartConversation extends Command, Answer {
  readonly type: 'start';
  readonly messageId: string;
}
export interface AddUserMessage extends Command, Answer {
  readonly type: 'add_user_message';
  readonly messageId: string;
  /** The answer to continue; null for a sibling of the first message; absent for the newest answer. */
  readonly parentId?: string | null;
}
/** Starts another answer to a user message. */
export interface BeginAnswer extends Command, Answer {
  readonly type: 'begin_answer';
  /** The user message; absent for the latest one. */
  readonly parentId?: string;
}
/** The service itself reports the end of an answer, so no principal is checked. */
export type FinishAnswer = Omit<AnswerFinished, 'type' | 'messageId'> & {
  readonly type: 'finish_answer';
  readonly answerId: string;
};
export interface FailAnswer {
  readonly type: 'fail_answer';
  readonly answerId: string;
  readonly code: string;
  readonly at: number;
}
export interface DeleteConversation extends Command {
  readonly type: 'delete';
}
export type ConversationCommand =
  | StartConversation
  | AddUserMessage
  | BeginAnswer
  | FinishAnswer
  | FailAnswer
  | DeleteConversation;

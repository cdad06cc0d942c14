import type { AnswerFinished } from './events.ts';

interface Command {
  /** Whoever asks: it must be the principal of the conversation. Null: none. */
  readonly principalId: string | null;
  readonly at: number;
}
interface Answer {
  /** Id of the answer that is begun at once. */
  readonly answerId: string;
  /** What the asking key can see; null: every source group. */
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
  /** The answer to branch at; null: at the root, beside the first message; absent: where the conversation stands. */
  readonly parentId?: string | null;
}
/** Another answer to a user message, beside those that it has. */
export interface BeginAnswer extends Command, Answer {
  readonly type: 'begin_answer';
  /** The user message; absent: the one that was asked last. */
  readonly parentId?: string;
}
/** How an answer ended is told by the service itself, which began it. */
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

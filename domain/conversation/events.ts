/**
 * Facts about one conversation. No word that was said is here, nor a hash of one: a hash of a short text can be guessed.
 * Texts lie encrypted in the vault, under the id of the conversation and that of their message, and can be destroyed.
 */

export interface ConversationStarted {
  readonly type: 'ConversationStarted';
  /** The end user on whose behalf it is held; null: none. Whoever names another one does not find it. */
  readonly principalId: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
export interface UserMessageAdded {
  readonly type: 'UserMessageAdded';
  readonly messageId: string;
  /** The answer that it continues; null: it stands at the root. */
  readonly parentId: string | null;
  readonly at: number;
}
export interface AnswerBegun {
  readonly type: 'AnswerBegun';
  readonly messageId: string;
  /** The user message that it answers. */
  readonly parentId: string;
  /** What the asking key could see: the answer may tell of these source groups. Null: of every one of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
  readonly at: number;
}
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}
export interface AnswerFinished {
  readonly type: 'AnswerFinished';
  readonly messageId: string;
  /** In the words of the API: `stop`, `length` and so on. */
  readonly finishReason: string;
  readonly model: string;
  /** Null where the model does not count. */
  readonly usage: TokenUsage | null;
  /** In the order of their numbers in the answer. */
  readonly citedContentIds: readonly string[];
  /** The text ends before the model did: whoever read it went away. */
  readonly cut: boolean;
  readonly at: number;
}
export interface AnswerFailed {
  readonly type: 'AnswerFailed';
  readonly messageId: string;
  /** A name of the fault. Its message could repeat what was asked, so it is not kept. */
  readonly code: string;
  readonly at: number;
}
/** The key of its texts was destroyed before. */
export interface ConversationDeleted {
  readonly type: 'ConversationDeleted';
  readonly at: number;
}
export type AnswerEvent = AnswerBegun | AnswerFinished | AnswerFailed;
export type ConversationEvent = ConversationStarted | UserMessageAdded | AnswerEvent | ConversationDeleted;

/**
 * Events of one conversation. They contain no texts, and no hashes of texts: a short text can be guessed from its
 * hash. Texts are stored encrypted in the vault under the ids of the conversation and the message, and can be
 * destroyed.
 */

export interface ConversationStarted {
  readonly type: 'ConversationStarted';
  /** The end user to whom the conversation belongs; null for none. It is not visible to other principals. */
  readonly principalId: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
export interface UserMessageAdded {
  readonly type: 'UserMessageAdded';
  readonly messageId: string;
  /** The answer that it continues; null at the root. */
  readonly parentId: string | null;
  readonly at: number;
}
export interface AnswerBegun {
  readonly type: 'AnswerBegun';
  readonly messageId: string;
  /** The user message that it answers. */
  readonly parentId: string;
  /**
   * The reach of the caller's key: the answer may contain texts of these source groups. Null for every one of the
   * tenant.
   */
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
  /** In the terms of the API: `stop`, `length` and so on. */
  readonly finishReason: string;
  readonly model: string;
  /** Null when the model does not report it. */
  readonly usage: TokenUsage | null;
  /** In the order of their numbers in the answer. */
  readonly citedContentIds: readonly string[];
  /** Whether the text is shorter than the model's answer, because the client has disconnected. */
  readonly cut: boolean;
  readonly at: number;
}
export interface AnswerFailed {
  readonly type: 'AnswerFailed';
  readonly messageId: string;
  /** Names the fault. The error message is not stored, because it could repeat the question. */
  readonly code: string;
  readonly at: number;
}
/** The key of the conversation's texts was destroyed before this event. */
export interface ConversationDeleted {
  readonly type: 'ConversationDeleted';
  readonly at: number;
}
export type AnswerEvent = AnswerBegun | AnswerFinished | AnswerFailed;
export type ConversationEvent = ConversationStarted | UserMessageAdded | AnswerEvent | ConversationDeleted;

/**
 * Facts about one conversation. No word that was said is here, nor a hash of one: a hash of a short text can be guessed.
 * Texts lie encrypted in the vault, under the id of the conversation and that of their message, and can be destroyed.
 */

export interface ConversationStarted {
  readonly type: 'ConversationStarted';
  /** The end user on whose behalf it is held; null: none. Whoever names another one does not find it. */
  readonly principal_id: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}
export interface UserMessageAdded {
  readonly type: 'UserMessageAdded';
  readonly message_id: string;
  /** The answer that it continues; null: it stands at the root. */
  readonly parent_id: string | null;
  readonly at: number;
}
export interface AnswerBegun {
  readonly type: 'AnswerBegun';
  readonly message_id: string;
  /** The user message that it answers. */
  readonly parent_id: string;
  /** What the asking key could see: the answer may tell of these source groups. Null: of every one of the tenant. */
  readonly source_group_ids: readonly string[] | null;
  readonly at: number;
}
export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}
export interface AnswerFinished {
  readonly type: 'AnswerFinished';
  readonly message_id: string;
  /** In the words of the API: `stop`, `length` and so on. */
  readonly finish_reason: string;
  readonly model: string;
  /** Null where the model does not count. */
  readonly usage: TokenUsage | null;
  /** In the order of their numbers in the answer. */
  readonly cited_content_ids: readonly string[];
  /** The text ends before the model did: whoever read it went away. */
  readonly cut: boolean;
  readonly at: number;
}
export interface AnswerFailed {
  readonly type: 'AnswerFailed';
  readonly message_id: string;
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

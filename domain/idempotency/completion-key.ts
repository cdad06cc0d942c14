import type { Decider } from '../shared/decider.ts';

/**
 * An `Idempotency-Key` of a completion is a stream of its own: it tells which answer the key leads to. Nothing of what
 * was asked is in it, and no hash of that: a hash of a short text can be guessed. That lies in the vault, under the key
 * of the conversation.
 */
export interface CompletionKeyClaimed {
  readonly type: 'CompletionKeyClaimed';
  readonly conversationId: string;
  readonly answerId: string;
  /** Unix milliseconds. */
  readonly at: number;
}
export type CompletionKeyState = CompletionKeyClaimed | null;

export interface ClaimCompletionKey extends Omit<CompletionKeyClaimed, 'type'> {
  readonly type: 'claim';
  /** The answer that the key led to, and that came to nothing; null: none. */
  readonly insteadOf: string | null;
}

/** Of those that claim instead of the same answer one wins; the others find it in the state. */
export const completionKey: Decider<
  ClaimCompletionKey,
  CompletionKeyClaimed,
  CompletionKeyState,
  'idempotency'
> = {
  category: 'idempotency',
  initial: null,
  evolve: (_, event) => event,
  decide: ({ insteadOf, conversationId, answerId, at }, state) =>
    (state?.answerId ?? null) === insteadOf
      ? [{ type: 'CompletionKeyClaimed', conversationId, answerId, at }]
      : [],
};

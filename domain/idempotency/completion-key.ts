import type { Decider } from '../shared/decider.ts';

/**
 * An `Idempotency-Key` of a completion has its own stream, which records the answer of the key. It contains neither
 * the request nor its hash, from which a short request could be guessed; the fingerprint is in the vault under the key
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
  /** The current answer of the key, which has failed; null for none. */
  readonly insteadOf: string | null;
}

/** Of concurrent claims that replace the same answer one succeeds; the others find its answer in the state. */
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

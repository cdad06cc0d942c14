import type { Decider } from '../domain/shared/decider.ts';
import { DomainError } from '../domain/shared/domain-error.ts';

/**
 * An `Idempotency-Key` is claimed as a stream of its own with "must not exist", so that of two racing requests one
 * wins; the loser and every retry read the ids that the winner made, and answer with the same resource.
 */
export interface IdempotencyKeyClaimed {
  readonly type: 'IdempotencyKeyClaimed';
  readonly operation: string;
  /** SHA-256 of the canonical body, hex. */
  readonly body_hash: string;
  /** Ids that the operation uses, made before the claim. */
  readonly ids: readonly string[];
  readonly at: number;
}
export type IdempotencyEvent = IdempotencyKeyClaimed;
export type ClaimKey = Omit<IdempotencyKeyClaimed, 'type'> & { readonly type: 'claim' };
export type IdempotencyState = IdempotencyKeyClaimed | null;

export const idempotencyKey: Decider<ClaimKey, IdempotencyEvent, IdempotencyState> = {
  initial: null,
  evolve: (_, event) => event,
  decide: (command, state) => {
    if (state === null) return [{ ...command, type: 'IdempotencyKeyClaimed' }];
    if (state.operation !== command.operation || state.body_hash !== command.body_hash) {
      const message = 'this Idempotency-Key was used with another body: send a new key with a new request';
      throw new DomainError('idempotency_conflict', message);
    }
    return [];
  },
};

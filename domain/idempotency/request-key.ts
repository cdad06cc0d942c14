import type { Decider } from '../shared/decider.ts';
import { DomainError } from '../shared/domain-error.ts';

/**
 * An `Idempotency-Key` has its own stream. The first claim requires that the stream does not exist, so of two
 * concurrent requests one wins; the other, and every retry, read the winner's ids and return the same resource. Each
 * of these requests holds the key until it is refused: a request that was not refused may have written something, so
 * the key stays bound to that body. When all were refused, nothing was created, and the key is free again, for other
 * bodies too.
 */

/** A request holds the key from now on. Recorded again, with the same ids, for each further request that holds it. */
export interface IdempotencyKeyClaimed {
  readonly type: 'IdempotencyKeyClaimed';
  readonly operation: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyHash: string;
  /** Ids for the operation, created before the claim. */
  readonly ids: readonly string[];
  readonly at: number;
}
/** A request that held the key was refused. */
export interface IdempotencyKeyReleased {
  readonly type: 'IdempotencyKeyReleased';
  readonly at: number;
}
/** A request with the key has succeeded, so that further requests need not be counted. */
export interface IdempotencyKeyUsed {
  readonly type: 'IdempotencyKeyUsed';
  readonly at: number;
}
export type IdempotencyEvent = IdempotencyKeyClaimed | IdempotencyKeyReleased | IdempotencyKeyUsed;

export type ClaimKey = Omit<IdempotencyKeyClaimed, 'type'> & { readonly type: 'claim' };
/** The end of a request that held the key. */
export interface SettleKey {
  readonly type: 'release' | 'use';
  readonly at: number;
}
export type IdempotencyState = {
  readonly claim: IdempotencyKeyClaimed;
  /** Requests that claimed the key and were not refused, including those whose outcome is unknown. */
  readonly holders: number;
  readonly used: boolean;
} | null;

export const idempotencyKey: Decider<
  ClaimKey | SettleKey,
  IdempotencyEvent,
  IdempotencyState,
  'idempotency'
> = {
  category: 'idempotency',
  initial: null,

  evolve: (state, event) => {
    if (event.type === 'IdempotencyKeyClaimed') {
      if (state === null || isFree(state)) return { claim: event, holders: 1, used: false };
      return { ...state, holders: state.holders + 1 };
    }
    if (state === null) throw new Error(`${event.type} before IdempotencyKeyClaimed`);
    if (event.type === 'IdempotencyKeyUsed') return { ...state, used: true };
    return { ...state, holders: state.holders - 1 };
  },

  decide: (command, state) => {
    if (command.type === 'claim') return claim(command, state);
    if (state === null || state.used || isFree(state)) return [];
    const type = command.type === 'use' ? 'IdempotencyKeyUsed' : 'IdempotencyKeyReleased';
    return [{ type, at: command.at }];
  },
};

const isFree = ({ holders, used }: NonNullable<IdempotencyState>): boolean => holders === 0 && !used;

const claim = (command: ClaimKey, state: IdempotencyState): readonly IdempotencyEvent[] => {
  if (state === null || isFree(state)) return [{ ...command, type: 'IdempotencyKeyClaimed' }];
  const { operation, bodyHash } = state.claim;
  if (operation !== command.operation || bodyHash !== command.bodyHash) {
    const message = 'this Idempotency-Key was used with another body: send a new key with a new request';
    throw new DomainError('idempotency_conflict', message);
  }
  return state.used ? [] : [state.claim];
};

import type { Decider } from '../shared/decider.ts';
import { DomainError } from '../shared/domain-error.ts';

/**
 * An `Idempotency-Key` is a stream of its own, claimed with "must not exist", so that of two racing requests one wins;
 * the other and every retry read the ids that the winner made, and answer with the same resource. Each of them holds
 * the key until it is refused: who was not may have written something, so the key stays bound to that body. When all
 * were refused nothing was made, and the key is free again, for another body too.
 */

/** A request holds the key from now on. Written again, with the same ids, for each that comes while others hold it. */
export interface IdempotencyKeyClaimed {
  readonly type: 'IdempotencyKeyClaimed';
  readonly operation: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyHash: string;
  /** Ids that the operation uses, made before the claim. */
  readonly ids: readonly string[];
  readonly at: number;
}
/** One of those that held the key was refused. */
export interface IdempotencyKeyReleased {
  readonly type: 'IdempotencyKeyReleased';
  readonly at: number;
}
/** A repeated request was answered: further ones need not be counted. */
export interface IdempotencyKeyUsed {
  readonly type: 'IdempotencyKeyUsed';
  readonly at: number;
}
export type IdempotencyEvent = IdempotencyKeyClaimed | IdempotencyKeyReleased | IdempotencyKeyUsed;

export type ClaimKey = Omit<IdempotencyKeyClaimed, 'type'> & { readonly type: 'claim' };
/** How the request of one who holds the key ended. */
export interface SettleKey {
  readonly type: 'release' | 'use';
  readonly at: number;
}
export type IdempotencyState = {
  readonly claim: IdempotencyKeyClaimed;
  /** Requests that claimed the key and were not refused, those included of which nobody knows how they ended. */
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

import type { CommandContext } from './event-metadata.ts';
import type { Execute } from './execute.ts';
import { derivedId } from './derived-id.ts';
import { idempotencyKey } from './idempotency.ts';
import type { Clock, Hash, IdSource } from './ports/identity.ts';
import { idempotencyStream } from './streams.ts';

export interface IdempotentDeps {
  readonly execute: Execute;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
}

export interface IdempotentRequest {
  readonly operation: string;
  /** The caller's `Idempotency-Key`; absent: every request is new. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/**
 * Ids for an operation that creates: made afresh, or those of the first request with the same key.
 *
 * @throws DomainError idempotency_conflict when the key was used with another body
 */
export const claimedIds = async (
  { execute, ids, hash, clock }: IdempotentDeps,
  { operation, key, body }: IdempotentRequest,
  count: number,
  context: CommandContext,
): Promise<{ readonly ids: readonly string[]; readonly at: number; readonly replayed: boolean }> => {
  const made = { ids: Array.from({ length: count }, () => ids.newId()), at: clock.now() };
  if (key === undefined) return { ...made, replayed: false };
  const stream = idempotencyStream(derivedId(hash, 'idempotency', context.tenant, operation, key));
  const body_hash = hash.sha256(canonicalJson(body));
  const command = { type: 'claim', operation, body_hash, ...made } as const;
  const { state, events } = await execute(idempotencyKey, stream, command, context);
  return { ids: state?.ids ?? made.ids, at: state?.at ?? made.at, replayed: events.length === 0 };
};

/** JSON with the members of objects in the order of their names (as RFC 8785 has it). */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

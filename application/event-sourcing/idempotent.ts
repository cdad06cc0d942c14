import {
  type ClaimKey,
  type IdempotencyState,
  type SettleKey,
  idempotencyKey,
} from '../../domain/idempotency/request-key.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { snakeKeys } from '../../domain/shared/key-case.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import type { Position } from '../ports/event-store.ts';
import type { Clock, Hash, IdSource } from '../ports/identity.ts';
import type { Execute } from './execute.ts';
import { derivedId, idempotencyStream } from './streams.ts';

export interface IdempotentDeps {
  readonly execute: Execute;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
}

export interface IdempotentRequest {
  readonly operation: string;
  /** The caller's `Idempotency-Key`. Absent: the request is not deduplicated. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/** The ids for a creating operation: new ones, or those of the first request with the same key. */
export interface Claimed {
  readonly ids: readonly string[];
  /** Time of the request that generated the ids. */
  readonly at: number;
  /** Another request has already claimed the ids and may have used them. */
  readonly replayed: boolean;
}

/**
 * Runs a creating operation once per key and body. A repeated run must change nothing and return the first answer. A
 * refusal (DomainError) releases the key. After any other failure it is unknown what was written: the key stays bound
 * to its body, and a repetition of the request completes the operation.
 *
 * @param run writes streams under the ids; writing them again must change nothing
 * @throws DomainError idempotency_conflict when the key is bound to another body; what `run` throws
 */
export const idempotently = async <Record>(
  deps: IdempotentDeps,
  request: IdempotentRequest,
  count: number,
  context: CommandContext,
  run: (claimed: Claimed) => Promise<Written<Record>>,
): Promise<Written<Record>> => {
  const claimed = await claimIds(deps, request, count, context);
  const settle = async (type: SettleKey['type']): Promise<void> => {
    if (request.key === undefined) return;
    // A failure here does not change the answer: the key stays bound, and the next repetition settles it.
    await settled(deps, request, { type, at: deps.clock.now() }, context).catch(() => undefined);
  };
  try {
    const written = await run(claimed);
    if (claimed.replayed) await settle('use');
    const repeats = written.replayed ?? !written.changed;
    // Another request may have claimed the key after this one and finished first.
    return {
      ...written,
      replayed: repeats && (claimed.replayed || (await isShared(deps, request, context))),
    };
  } catch (error) {
    if (isRefusal(error)) await settle('release');
    throw error;
  }
};

/** Whether nothing was written. An unavailable store may have written something. */
const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/** @throws DomainError idempotency_conflict when the key is bound to another body */
export const claimIds = async (
  deps: IdempotentDeps,
  request: IdempotentRequest,
  count: number,
  context: CommandContext,
): Promise<Claimed> => {
  const { ids, hash, clock } = deps;
  const made = { ids: Array.from({ length: count }, () => ids.newId()), at: clock.now() };
  if (request.key === undefined) return { ...made, replayed: false };
  const bodyHash = hash.sha256(canonicalJson(request.body));
  const command = { type: 'claim', operation: request.operation, bodyHash, ...made } as const;
  const state = await settled(deps, request, command, context);
  const { claim, holders, used } = state ?? { claim: made, holders: 1, used: false };
  return { ids: claim.ids, at: claim.at, replayed: used || holders > 1 };
};

const isShared = async (
  { execute, hash }: IdempotentDeps,
  request: IdempotentRequest,
  { tenant }: CommandContext,
): Promise<boolean> => {
  if (request.key === undefined) return false;
  const found = await execute.load(idempotencyKey, streamOf(hash, tenant, request), tenant);
  return found !== null && found.state !== null && (found.state.used || found.state.holders > 1);
};

const streamOf = (hash: Hash, tenant: string, { operation, key = '' }: IdempotentRequest) =>
  idempotencyStream(derivedId(hash, 'idempotency', tenant, operation, key));

const settled = async (
  { execute, hash }: IdempotentDeps,
  request: IdempotentRequest,
  command: ClaimKey | SettleKey,
  context: CommandContext,
): Promise<IdempotencyState> => {
  const stream = streamOf(hash, context.tenant, request);
  return (await execute(idempotencyKey, stream, command, context)).state;
};

/** JSON with sorted object members (as in RFC 8785) and names in snake_case, as callers send them. */
export const canonicalJson = (value: unknown): string => sortedJson(snakeKeys(value));

/** JSON with sorted object members and unchanged names. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

/** The result of a write: the record folded from the stored events, and their position in the log. */
export interface Written<Record> {
  readonly record: Record;
  readonly position: Position;
  /** False: the command changed nothing. */
  readonly changed: boolean;
  /** The request repeats an earlier one with the same Idempotency-Key, and this is the first answer again. */
  readonly replayed?: boolean;
}

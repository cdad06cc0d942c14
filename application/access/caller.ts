import type { Grant } from '../../domain/api-key/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { GroupScope } from '../ports/catalog.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import type { Past } from './past.ts';

/** The caller of an operation: its tenant and grant, and the context of its commands. */
export interface Caller {
  /** Of the API key or the person. */
  readonly id: string;
  /** Of the API key or the person; absent where a token tells none. */
  readonly name?: string;
  readonly tenant: string;
  readonly grant: Grant;
  readonly context: CommandContext;
  /** Reads show the records as they were then. Only set for operations that can: see `rewinds` of a route. */
  readonly past?: Past;
}

/**
 * Whether the key reaches a source group. The response must not distinguish a hidden group from one that does not
 * exist.
 */
export const sees = (caller: Caller, sourceGroupId: string): boolean =>
  caller.grant.sourceGroupIds?.includes(sourceGroupId) ?? true;

/** A restricted key sees only keys whose reach is within its own. */
export const seesKey = (
  { grant }: Caller,
  { sourceGroupIds }: { readonly sourceGroupIds: readonly string[] | null },
): boolean => {
  const within = grant.sourceGroupIds;
  return within === null || (sourceGroupIds?.every((id) => within.includes(id)) ?? false);
};

/** A restricted key must not receive responses to other callers' requests, so its idempotency keys are its own. */
export const ownIdempotencyKey = (
  { grant, id }: Caller,
  idempotencyKey: string | undefined,
): string | undefined =>
  idempotencyKey === undefined || grant.sourceGroupIds === null ? idempotencyKey : `${id} ${idempotencyKey}`;

/** @throws DomainError key_restricted when a restricted key calls an operation that spans source groups */
export const mustBeUnrestricted = (caller: Caller, what: string): void => {
  if (caller.grant.sourceGroupIds === null) return;
  throw new DomainError('key_restricted', `${what} needs a key that is not restricted to source groups`);
};

/**
 * The only principal that the caller may act as; null for any and none. A person reads, asks and runs as the principal
 * of their own id. Whoever may grant attributes to principals may also name them, as every key does.
 */
export const ownPrincipal = ({ grant, context: { actor } }: Caller): string | null =>
  actor.kind === 'person' && !grant.scopes.includes('authz:grant') ? actor.id : null;

/** The reach of the key. For documents and contents use the scope of AccessTo, which a policy may narrow. */
export const scopeOf = ({ tenant, grant }: Caller): GroupScope => ({ tenant, only: grant.sourceGroupIds });

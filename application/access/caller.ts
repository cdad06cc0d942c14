import type { Grant } from '../../domain/api-key/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { GroupScope } from '../ports/catalog.ts';
import type { CommandContext } from '../ports/event-metadata.ts';

/** Who asks: the tenant and powers of the key, and the context that its commands run under. */
export interface Caller {
  readonly keyId: string;
  readonly tenant: string;
  readonly grant: Grant;
  readonly context: CommandContext;
}

/** A key restricted to source groups sees no other: one answer for absent and forbidden. */
export const sees = (caller: Caller, sourceGroupId: string): boolean =>
  caller.grant.sourceGroupIds?.includes(sourceGroupId) ?? true;

/** A restricted key knows of other keys only those that reach no further than itself. */
export const seesKey = (
  { grant }: Caller,
  { sourceGroupIds }: { readonly sourceGroupIds: readonly string[] | null },
): boolean => {
  const within = grant.sourceGroupIds;
  return within === null || (sourceGroupIds?.every((id) => within.includes(id)) ?? false);
};

/** What others of the tenant have sent must not show in the answers to a restricted key: it repeats only itself. */
export const ownIdempotencyKey = (
  { grant, keyId }: Caller,
  idempotencyKey: string | undefined,
): string | undefined =>
  idempotencyKey === undefined || grant.sourceGroupIds === null
    ? idempotencyKey
    : `${keyId} ${idempotencyKey}`;

/** @throws DomainError key_restricted when a restricted key asks for what spans source groups */
export const mustBeUnrestricted = (caller: Caller, what: string): void => {
  if (caller.grant.sourceGroupIds === null) return;
  throw new DomainError('key_restricted', `${what} needs a key that is not restricted to source groups`);
};

/** What the key reaches. Documents and their contents need the scope of AccessTo, which a policy may narrow. */
export const scopeOf = ({ tenant, grant }: Caller): GroupScope => ({ tenant, only: grant.sourceGroupIds });

import { DEFAULT_POLICY } from '../../../domain/authz/decider.ts';
import { type Attributes, type PolicyFilter, resolve } from '../../../domain/authz/policy-filter.ts';

import { EVERYTHING, type Filter } from '../../../domain/filter/filter.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import type { Catalog, CatalogScope } from '../../ports/catalog.ts';
import { scopeOf } from '../scope.ts';
import { type AuthzLogDeps, readPolicy, readSubject } from './read-authz.ts';
import { typesOf } from './types-of.ts';

/** On whose behalf a request reads, and by which policy. What is absent is the default policy, and nobody. */
export interface OnBehalfOf {
  readonly authzPolicy?: string;
  readonly principalId?: string | null;
}

/**
 * What the caller may read on behalf of a principal.
 *
 * @throws DomainError authz_policy_not_found; where no default policy is defined, for requests that name none, too
 */
export type AccessTo = (caller: Caller, onBehalfOf: OnBehalfOf) => Promise<CatalogScope>;

/** Where authorization is off, policies and principals are ignored. */
export const unlimitedAccess: AccessTo = async (caller) => ({ ...scopeOf(caller), access: null });

export interface AccessDeps extends AuthzLogDeps {
  readonly catalog: Pick<Catalog, 'metadataTypes'>;
}

/** The policy and the attributes are read anew for every request, from their streams. */
export const createAccess =
  (deps: AccessDeps): AccessTo =>
  async (caller, { authzPolicy: name = DEFAULT_POLICY, principalId = null }) => {
    const { tenant } = caller;
    const [policy, attributes] = await Promise.all([
      readPolicy(deps, tenant, name),
      attributesOf(deps, tenant, name, principalId ?? ''),
    ]);
    if (policy === null) throw unknownPolicy(name);
    const filterOf = (of: 'source' | 'chunk', raw: PolicyFilter | null) =>
      compiled(deps, tenant, of, raw, attributes);
    const [sources, chunks] = await Promise.all([
      filterOf('source', policy.sourceMetadata),
      filterOf('chunk', policy.chunkMetadata),
    ]);
    return { ...scopeOf(caller), access: { sources, chunks } };
  };

export const unknownPolicy = (name: string): DomainError =>
  new DomainError(
    'authz_policy_not_found',
    name === DEFAULT_POLICY
      ? `no policy "${DEFAULT_POLICY}" is defined, so that nothing may be read: define it, or name another`
      : `there is no authz policy ${JSON.stringify(name)}`,
  );

/** Of an empty principal nothing is known. */
const attributesOf = async (
  deps: AuthzLogDeps,
  tenant: string,
  policy: string,
  principalId: string,
): Promise<Attributes> => {
  if (principalId === '') return {};
  return (await readSubject(deps, tenant, principalId))?.policies.get(policy) ?? {};
};

const compiled = async (
  { catalog }: AccessDeps,
  tenant: string,
  of: 'source' | 'chunk',
  raw: PolicyFilter | null,
  attributes: Attributes,
): Promise<Filter> =>
  raw === null ? EVERYTHING : resolve(raw, await typesOf(catalog, tenant, of, raw), attributes);

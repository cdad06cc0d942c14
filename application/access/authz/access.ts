import {
  type AuthzPolicyEvent,
  DEFAULT_POLICY,
  type PolicyState,
  type SubjectState,
  authzPolicy,
  authzSubject,
} from '../../../domain/authz/decider.ts';
import { type Attributes, type PolicyFilter, resolve } from '../../../domain/authz/policy-filter.ts';
import { EVERYTHING, type Filter, type KeyTypes } from '../../../domain/filter/filter.ts';
import { keysOf } from '../../../domain/filter/parse-filter.ts';
import { commonType } from '../../../domain/filter/value.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { PastEvent } from '../../event-sourcing/load.ts';
import { authzPolicyStream, authzSubjectStream, derivedId } from '../../event-sourcing/streams.ts';
import type { Catalog, CatalogScope } from '../../ports/catalog.ts';
import type { Hash } from '../../ports/identity.ts';
import { type Caller, scopeOf } from '../caller.ts';

/** The principal on whose behalf a request reads, and the policy. Defaults: the default policy, no principal. */
export interface OnBehalfOf {
  readonly authzPolicy?: string;
  readonly principalId?: string | null;
  /** Whether the policy is followed also where authorization is off, to try it. */
  readonly isTrial?: boolean;
}

/**
 * Determines what the caller may read on behalf of a principal.
 *
 * @throws DomainError authz_policy_not_found; also when the request names no policy and no default policy is defined
 */
export type AccessTo = (caller: Caller, onBehalfOf: OnBehalfOf) => Promise<CatalogScope>;

/** Ignores policies and principals. */
export const unlimitedAccess: AccessTo = async (caller) => ({ ...scopeOf(caller), access: null });

/** Of a service whose authorization is off: all that the key reaches, but where a request tries a policy. */
export const unlimitedUnlessTried =
  (byPolicy: AccessTo): AccessTo =>
  (caller, onBehalfOf) =>
    (onBehalfOf.isTrial === true ? byPolicy : unlimitedAccess)(caller, onBehalfOf);

export interface AccessDeps extends AuthzLogDeps {
  readonly catalog: Pick<Catalog, 'metadataTypes'>;
}

/** Reads the policy and the attributes from their streams for every request. */
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

/** The attributes of a principal; an empty principal has none. */
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

/**
 * A newer version may have written events with stricter rules that this version does not know: then access is refused.
 */
export interface AuthzLogDeps {
  readonly execute: Execute;
  readonly hash: Hash;
}

export const policyId = (hash: Hash, tenant: string, name: string): string =>
  derivedId(hash, 'authz policy', tenant, name);
export const subjectId = (hash: Hash, tenant: string, principalId: string): string =>
  derivedId(hash, 'authz subject', tenant, principalId);

/** Reads the policy from its stream, so that a change applies as soon as it is acknowledged, even if views lag. */
export const readPolicy = async (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  name: string,
): Promise<PolicyState> => {
  const found = await execute.load(authzPolicy, authzPolicyStream(policyId(hash, tenant, name)), tenant);
  return found === null ? authzPolicy.initial : found.state;
};

/** Reads the attributes of a principal from their stream. */
export const readSubject = async (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  principalId: string,
): Promise<SubjectState> => {
  const stream = authzSubjectStream(subjectId(hash, tenant, principalId));
  const found = await execute.load(authzSubject, stream, tenant);
  return found === null ? authzSubject.initial : found.state;
};

export const policyHistory = (
  { execute, hash }: AuthzLogDeps,
  tenant: string,
  name: string,
): Promise<readonly PastEvent<AuthzPolicyEvent>[]> =>
  execute.history(authzPolicy, authzPolicyStream(policyId(hash, tenant, name)), tenant);

/** Types of a policy's keys in the whole tenant, so that a policy has the same meaning for every key. */
export const typesOf = async (
  catalog: Pick<Catalog, 'metadataTypes'>,
  tenant: string,
  of: 'source' | 'chunk',
  raw: unknown,
): Promise<KeyTypes> => {
  const everything = { tenant, only: null, access: null };
  const declared = await catalog.metadataTypes(everything, of, keysOf(raw));
  return new Map([...declared].map(([key, types]) => [key, commonType(types)]));
};

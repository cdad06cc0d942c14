import {
  authzPolicy,
  type AuthzPolicyCommand,
  noSuchPolicy,
  type Policy,
  type PolicyRules,
} from '../../../domain/authz/decider.ts';
import { checkPolicyFilter, type PolicyFilter } from '../../../domain/authz/policy-filter.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import { type IdempotentDeps, type Written, idempotently } from '../../event-sourcing/idempotent.ts';
import type { Page } from '../../ports/page.ts';
import type { AuthzView, NamedPageRequest } from '../../ports/access-views.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { authzPolicyStream } from '../../event-sourcing/streams.ts';
import { type AuthzLogDeps, policyHistory, policyId, readPolicy, typesOf } from './access.ts';

/** Filters as the caller wrote them, not parsed; null for no condition. */
export interface PolicyRequest {
  readonly description: string;
  readonly sourceMetadata: unknown;
  readonly chunkMetadata: unknown;
}

export interface PolicyDeps extends IdempotentDeps, AuthzLogDeps {
  readonly view: AuthzView;
  readonly catalog: Pick<Catalog, 'metadataTypes'>;
}

/**
 * Operations on authz policies. Policies span source groups: all operations throw DomainError `key_restricted` for a
 * restricted key, and `not_found` for an unknown name.
 */
export const createAuthzPolicyOperations = (deps: PolicyDeps) => {
  const { execute, ids, clock, hash, view } = deps;
  const run = async (caller: Caller, name: string, command: AuthzPolicyCommand) =>
    execute(authzPolicy, authzPolicyStream(policyId(hash, caller.tenant, name)), command, caller.context);
  const admit = (caller: Caller): void => mustBeUnrestricted(caller, 'an authz policy');

  return {
    /** @throws DomainError name_taken, filter_invalid, idempotency_conflict; invalid_request for the reserved name */
    create: async (
      caller: Caller,
      name: string,
      request: PolicyRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<Policy>> => {
      admit(caller);
      const rules = await checked(deps, caller.tenant, request);
      const body = { operation: 'createAuthzPolicy', key: idempotencyKey, body: { name, ...rules } };
      return idempotently(deps, body, 1, caller.context, async (claimed) => {
        const id = claimed.ids[0] as string;
        if (claimed.replayed) {
          const before = await createdBefore(deps, caller.tenant, name, id);
          if (before !== undefined) return before;
        }
        const facts = { policyId: id, name, ...rules, at: claimed.at };
        const done = await run(caller, name, { type: 'create', ...facts });
        return written(done.state, done);
      });
    },

    /** In the order of their names. */
    list: async (caller: Caller, page: NamedPageRequest): Promise<Page<Policy>> => {
      admit(caller);
      return (caller.past?.authz ?? view).policies(caller.tenant, page);
    },

    get: async (caller: Caller, name: string): Promise<Policy> => {
      admit(caller);
      const { past, tenant } = caller;
      const policy = await (past === undefined
        ? readPolicy(deps, tenant, name)
        : past.authz.policy(tenant, name));
      if (policy === null) throw noSuchPolicy();
      return policy;
    },

    /**
     * Replaces all rules with immediate effect; also creates the default policy. @throws DomainError filter_invalid
     */
    replace: async (caller: Caller, name: string, request: PolicyRequest): Promise<Written<Policy>> => {
      admit(caller);
      const rules = await checked(deps, caller.tenant, request);
      const facts = { policyId: ids.newId(), name, ...rules, at: clock.now() };
      const done = await run(caller, name, { type: 'change', ...facts });
      return written(done.state, done);
    },

    /** Requests that name the policy are refused from now on. */
    remove: async (caller: Caller, name: string): Promise<Written<string>> => {
      admit(caller);
      const { position } = await run(caller, name, { type: 'delete', at: clock.now() });
      return { record: name, position, changed: true };
    },
  };
};
export type AuthzPolicyOperations = ReturnType<typeof createAuthzPolicyOperations>;

const written = (
  policy: Policy | null,
  { position, events }: { readonly position: string; readonly events: readonly unknown[] },
): Written<Policy> => {
  if (policy === null) throw noSuchPolicy();
  return { record: policy, position, changed: events.length > 0 };
};

/** A repeated request gets the first response, and does not recreate a policy that was deleted since. */
const createdBefore = async (
  deps: AuthzLogDeps,
  tenant: string,
  name: string,
  id: string,
): Promise<Written<Policy> | undefined> => {
  for (const { event, recorded } of await policyHistory(deps, tenant, name)) {
    if (event.type === 'AuthzPolicyCreated' && event.policyId === id)
      return written(authzPolicy.evolve(null, event), { position: recorded.position, events: [] });
  }
  return undefined;
};

/** Chosen so that a policy fits in an event, whatever its characters. */
const MAX_CHARACTERS = 60_000;

const checked = async (
  { catalog }: PolicyDeps,
  tenant: string,
  { description, sourceMetadata, chunkMetadata }: PolicyRequest,
): Promise<PolicyRules> => {
  const read = async (of: 'source' | 'chunk', raw: unknown, name: string): Promise<PolicyFilter | null> =>
    raw === null ? null : checkPolicyFilter(raw, await typesOf(catalog, tenant, of, raw), name);
  if (JSON.stringify([sourceMetadata, chunkMetadata]).length > MAX_CHARACTERS) {
    throw new DomainError(
      'filter_invalid',
      `the filters of a policy have at most ${MAX_CHARACTERS} characters as JSON`,
    );
  }
  return {
    description,
    sourceMetadata: await read('source', sourceMetadata, 'source_metadata'),
    chunkMetadata: await read('chunk', chunkMetadata, 'chunk_metadata'),
  };
};

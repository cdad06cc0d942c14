import { authzSubject, noSuchSubject, type Subject } from '../../../domain/authz/decider.ts';
import { type Attributes } from '../../../domain/authz/policy-filter.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Page } from '../../ports/page.ts';
import type { AuthzView, NamedPageRequest, AuthzSubjectRow } from '../../ports/access-views.ts';
import type { Clock } from '../../ports/identity.ts';
import { authzSubjectStream } from '../../event-sourcing/streams.ts';
import { type AuthzLogDeps, readPolicy, readSubject, subjectId, unknownPolicy } from './access.ts';

export type SubjectRecord = Pick<AuthzSubjectRow, 'principalId' | 'createdAt' | 'policies'>;

export interface SubjectDeps extends AuthzLogDeps {
  readonly execute: Execute;
  readonly view: AuthzView;
  readonly clock: Clock;
}

/**
 * Operations on the attributes of principals. All throw DomainError `key_restricted` for a key that is restricted to
 * source groups, and `not_found` for a principal without attributes.
 */
export const createAuthzSubjectOperations = (deps: SubjectDeps) => {
  const { execute, view, clock, hash } = deps;
  const streamOf = (caller: Caller, principalId: string) =>
    authzSubjectStream(subjectId(hash, caller.tenant, principalId));
  const admit = (caller: Caller): void => mustBeUnrestricted(caller, 'the attributes of a principal');

  return {
    /** In the order of the principals. */
    list: async (caller: Caller, page: NamedPageRequest): Promise<Page<SubjectRecord>> => {
      admit(caller);
      return (caller.past?.authz ?? view).subjects(caller.tenant, page);
    },

    get: async (caller: Caller, principalId: string): Promise<SubjectRecord> => {
      admit(caller);
      const { past, tenant } = caller;
      if (past === undefined) return recordOf(await readSubject(deps, tenant, principalId));
      const row = await past.authz.subject(tenant, principalId);
      if (row === null) throw noSuchSubject();
      return row;
    },

    /** Replaces all attributes for this policy with immediate effect. @throws DomainError authz_policy_not_found */
    set: async (
      caller: Caller,
      principalId: string,
      authzPolicy: string,
      attributes: Attributes,
    ): Promise<Written<SubjectRecord>> => {
      admit(caller);
      if (JSON.stringify(attributes).length > MAX_CHARACTERS) {
        throw new DomainError(
          'invalid_request',
          `attributes have at most ${MAX_CHARACTERS} characters as JSON`,
        );
      }
      if ((await readPolicy(deps, caller.tenant, authzPolicy)) === null) throw unknownPolicy(authzPolicy);
      const command = { type: 'set', principalId, authzPolicy, attributes, at: clock.now() } as const;
      const done = await execute(authzSubject, streamOf(caller, principalId), command, caller.context);
      return { record: recordOf(done.state), position: done.position, changed: done.events.length > 0 };
    },

    /** Removes the attributes for every policy. */
    remove: async (caller: Caller, principalId: string): Promise<Written<string>> => {
      admit(caller);
      const command = { type: 'delete', at: clock.now() } as const;
      const { position } = await execute(
        authzSubject,
        streamOf(caller, principalId),
        command,
        caller.context,
      );
      return { record: principalId, position, changed: true };
    },
  };
};
export type AuthzSubjectOperations = ReturnType<typeof createAuthzSubjectOperations>;

/** Chosen so that attributes fit in an event, whatever their characters. */
const MAX_CHARACTERS = 60_000;

const recordOf = (subject: Subject | null): SubjectRecord => {
  if (subject === null) throw noSuchSubject();
  const { principalId, createdAt, policies } = subject;
  return {
    principalId,
    createdAt,
    policies: [...policies].map(([authzPolicy, attributes]) => ({ authzPolicy, attributes })),
  };
};

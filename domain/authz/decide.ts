import { DomainError } from '../shared/domain-error.ts';
import { DEFAULT_POLICY, POLICY_NAME } from './attributes.ts';
import type { AuthzPolicyCommand, AuthzSubjectCommand, CreatePolicy } from './commands.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent, PolicyRules } from './events.ts';
import type { PolicyState, SubjectState } from './state.ts';

export const decidePolicy = (
  command: AuthzPolicyCommand,
  state: PolicyState,
): readonly AuthzPolicyEvent[] => {
  switch (command.type) {
    case 'create':
      return create(command, state);
    case 'change': {
      const { policyId: _, ...changed } = command;
      if (state === null && command.name === DEFAULT_POLICY)
        return [{ ...command, type: 'AuthzPolicyCreated' }];
      if (state === null) throw noSuchPolicy();
      return sameRules(command, state) ? [] : [{ ...changed, type: 'AuthzPolicyChanged' }];
    }
    case 'delete':
      if (state === null) throw noSuchPolicy();
      return [{ type: 'AuthzPolicyDeleted', name: state.name, at: command.at }];
  }
};

const create = (command: CreatePolicy, state: PolicyState): readonly AuthzPolicyEvent[] => {
  if (!POLICY_NAME.test(command.name)) throw new DomainError('invalid_request', 'this cannot name a policy');
  if (command.name === DEFAULT_POLICY) {
    const message = `"${DEFAULT_POLICY}" is reserved for the policy of requests that name none: define it by PUT`;
    throw new DomainError('invalid_request', message);
  }
  if (state?.policyId === command.policyId) return [];
  if (state !== null) throw new DomainError('name_taken', 'there is an authz policy of this name already');
  return [{ ...command, type: 'AuthzPolicyCreated' }];
};

/** Compared as they are written. */
const sameRules = (a: PolicyRules, b: PolicyRules): boolean => written(a) === written(b);
const written = ({ description, sourceMetadata, chunkMetadata }: PolicyRules): string =>
  JSON.stringify([description, sourceMetadata, chunkMetadata]);

export const noSuchPolicy = (): DomainError => new DomainError('not_found', 'there is no such authz policy');

export const decideSubject = (
  command: AuthzSubjectCommand,
  state: SubjectState,
): readonly AuthzSubjectEvent[] => {
  switch (command.type) {
    case 'set': {
      const known = state?.policies.get(command.authzPolicy);
      const same = known !== undefined && JSON.stringify(known) === JSON.stringify(command.attributes);
      return same ? [] : [{ ...command, type: 'AuthzAttributesSet' }];
    }
    case 'delete':
      if (state === null) throw noSuchSubject();
      return [{ type: 'AuthzAttributesDeleted', principalId: state.principalId, at: command.at }];
  }
};

export const noSuchSubject = (): DomainError =>
  new DomainError('not_found', 'no attributes of this principal are known');

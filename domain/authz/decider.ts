import type { Attributes, PolicyFilter } from './policy-filter.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

const POLICY_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
/** The policy of requests that name none. */
export const DEFAULT_POLICY = 'default';
/** Maximum characters of a principal id. */
export const MAX_PRINCIPAL = 256;

/** The filters of a policy. Both must match; null is no condition. */
export interface PolicyRules {
  /** Empty for none. */
  readonly description: string;
  readonly sourceMetadata: PolicyFilter | null;
  readonly chunkMetadata: PolicyFilter | null;
}

/** Creates a policy. A name has one stream, even if its policy is deleted and created again. */
export interface AuthzPolicyCreated extends PolicyRules {
  readonly type: 'AuthzPolicyCreated';
  /** Unique id of this policy: a policy that is created again under the same name has a new id. */
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
/** Contains all rules of the policy. */
export interface AuthzPolicyChanged extends PolicyRules {
  readonly type: 'AuthzPolicyChanged';
  readonly name: string;
  readonly at: number;
}
export interface AuthzPolicyDeleted {
  readonly type: 'AuthzPolicyDeleted';
  readonly name: string;
  readonly at: number;
}
export type AuthzPolicyEvent = AuthzPolicyCreated | AuthzPolicyChanged | AuthzPolicyDeleted;

/** Replaces all attributes of this principal for the policy. */
export interface AuthzAttributesSet {
  readonly type: 'AuthzAttributesSet';
  readonly principalId: string;
  readonly authzPolicy: string;
  readonly attributes: Attributes;
  readonly at: number;
}
/** Deletes the attributes of this principal for every policy. */
export interface AuthzAttributesDeleted {
  readonly type: 'AuthzAttributesDeleted';
  readonly principalId: string;
  readonly at: number;
}
export type AuthzSubjectEvent = AuthzAttributesSet | AuthzAttributesDeleted;

/** The types of the keys in the rules must have been looked up: see `checkPolicyFilter`. */
export interface CreatePolicy extends PolicyRules {
  readonly type: 'create';
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
/** Replaces the rules; also creates the default policy. */
export interface ChangePolicy extends PolicyRules {
  readonly type: 'change';
  /** Used only if the default policy does not exist yet. */
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
export interface DeletePolicy {
  readonly type: 'delete';
  readonly at: number;
}
export type AuthzPolicyCommand = CreatePolicy | ChangePolicy | DeletePolicy;

/** The caller must have checked that the policy exists, because it has its own stream. */
export interface SetAttributes {
  readonly type: 'set';
  readonly principalId: string;
  readonly authzPolicy: string;
  readonly attributes: Attributes;
  readonly at: number;
}
export interface DeleteAttributes {
  readonly type: 'delete';
  readonly at: number;
}
export type AuthzSubjectCommand = SetAttributes | DeleteAttributes;

export interface Policy extends PolicyRules {
  readonly policyId: string;
  readonly name: string;
  readonly createdAt: number;
}
/** Null when there is no policy of this name. */
export type PolicyState = Policy | null;

const evolvePolicy = (state: PolicyState, event: AuthzPolicyEvent): PolicyState => {
  switch (event.type) {
    case 'AuthzPolicyCreated': {
      const { type: _, at: createdAt, ...policy } = event;
      return { ...policy, createdAt };
    }
    case 'AuthzPolicyChanged': {
      if (state === null) throw new Error(`${event.type} of ${event.name} before AuthzPolicyCreated`);
      const { description, sourceMetadata, chunkMetadata } = event;
      return { ...state, description, sourceMetadata, chunkMetadata };
    }
    case 'AuthzPolicyDeleted':
      return null;
  }
};

/** The attributes of one principal. */
export interface Subject {
  readonly principalId: string;
  readonly createdAt: number;
  /** Attributes by policy. */
  readonly policies: ReadonlyMap<string, Attributes>;
}
/** Null when the principal has no attributes. */
export type SubjectState = Subject | null;

const evolveSubject = (state: SubjectState, event: AuthzSubjectEvent): SubjectState => {
  switch (event.type) {
    case 'AuthzAttributesSet': {
      const { principalId, authzPolicy, attributes, at } = event;
      const policies = new Map(state?.policies).set(authzPolicy, attributes);
      return { principalId, createdAt: state?.createdAt ?? at, policies };
    }
    case 'AuthzAttributesDeleted':
      return null;
  }
};

const decidePolicy = (command: AuthzPolicyCommand, state: PolicyState): readonly AuthzPolicyEvent[] => {
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
  if (!POLICY_NAME.test(command.name))
    throw new DomainError('invalid_request', 'this is not a valid policy name');
  if (command.name === DEFAULT_POLICY) {
    const message = `"${DEFAULT_POLICY}" is reserved for the policy of requests that name none: define it by PUT`;
    throw new DomainError('invalid_request', message);
  }
  if (state?.policyId === command.policyId) return [];
  if (state !== null) throw new DomainError('name_taken', 'an authz policy with this name already exists');
  return [{ ...command, type: 'AuthzPolicyCreated' }];
};

/** Compares the rules as they are written. */
const sameRules = (a: PolicyRules, b: PolicyRules): boolean => written(a) === written(b);
const written = ({ description, sourceMetadata, chunkMetadata }: PolicyRules): string =>
  JSON.stringify([description, sourceMetadata, chunkMetadata]);

export const noSuchPolicy = (): DomainError => new DomainError('not_found', 'there is no such authz policy');

const decideSubject = (command: AuthzSubjectCommand, state: SubjectState): readonly AuthzSubjectEvent[] => {
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
  new DomainError('not_found', 'this principal has no attributes');

export const authzPolicy: Decider<AuthzPolicyCommand, AuthzPolicyEvent, PolicyState, 'authzPolicy'> = {
  category: 'authzPolicy',
  initial: null,
  decide: decidePolicy,
  evolve: evolvePolicy,
};
export const authzSubject: Decider<AuthzSubjectCommand, AuthzSubjectEvent, SubjectState, 'authzSubject'> = {
  category: 'authzSubject',
  initial: null,
  decide: decideSubject,
  evolve: evolveSubject,
};

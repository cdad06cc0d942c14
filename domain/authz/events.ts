import type { Attributes } from './attributes.ts';
import type { PolicyFilter } from './policy-filter.ts';

/** What a policy asks; both must hold, null asks nothing. */
export interface PolicyRules {
  /** Empty: none. */
  readonly description: string;
  readonly sourceMetadata: PolicyFilter | null;
  readonly chunkMetadata: PolicyFilter | null;
}

/** The policy of this name begins; it has one stream, whatever becomes of it. */
export interface AuthzPolicyCreated extends PolicyRules {
  readonly type: 'AuthzPolicyCreated';
  /** Of this life of the name: a policy that is created again has another. */
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
/** All of its rules, as they are from now on. */
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

/** All attributes that the policy knows of this principal from now on. */
export interface AuthzAttributesSet {
  readonly type: 'AuthzAttributesSet';
  readonly principalId: string;
  readonly authzPolicy: string;
  readonly attributes: Attributes;
  readonly at: number;
}
/** No policy knows an attribute of this principal any more. */
export interface AuthzAttributesDeleted {
  readonly type: 'AuthzAttributesDeleted';
  readonly principalId: string;
  readonly at: number;
}
export type AuthzSubjectEvent = AuthzAttributesSet | AuthzAttributesDeleted;

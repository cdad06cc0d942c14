import type { Attributes } from './attributes.ts';
import type { PolicyRules } from './events.ts';

/** @see checkPolicyFilter for the rules, whose keys were looked up. */
export interface CreatePolicy extends PolicyRules {
  readonly type: 'create';
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
/** Replaces the rules. The default policy begins so, too. */
export interface ChangePolicy extends PolicyRules {
  readonly type: 'change';
  /** For the default policy where it is not defined yet. */
  readonly policyId: string;
  readonly name: string;
  readonly at: number;
}
export interface DeletePolicy {
  readonly type: 'delete';
  readonly at: number;
}
export type AuthzPolicyCommand = CreatePolicy | ChangePolicy | DeletePolicy;

/** That there is such a policy was looked up: it has a stream of its own. */
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

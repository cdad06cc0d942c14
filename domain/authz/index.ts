import type { Decider } from '../shared/decider.ts';
import type { AuthzPolicyCommand, AuthzSubjectCommand } from './commands.ts';
import { decidePolicy, decideSubject } from './decide.ts';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from './events.ts';
import { evolvePolicy, evolveSubject, type PolicyState, type SubjectState } from './state.ts';

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
export * from './attributes.ts';
export type * from './commands.ts';
export { noSuchPolicy, noSuchSubject } from './decide.ts';
export type * from './events.ts';
export { checkPolicyFilter, type PolicyFilter, resolve } from './policy-filter.ts';
export type { Policy, PolicyState, Subject, SubjectState } from './state.ts';

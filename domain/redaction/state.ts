import type { RedactionPolicyEvent } from './events.ts';
import type { RedactionRule, Stage } from './rule.ts';

export type RedactionPolicyState =
  | { readonly status: 'none' }
  | {
      readonly status: 'in_force';
      readonly name: string;
      readonly rules: readonly RedactionRule[];
      readonly appliesTo: readonly Stage[];
    }
  | { readonly status: 'deleted' };

export const initial: RedactionPolicyState = { status: 'none' };

export const evolve = (_: RedactionPolicyState, event: RedactionPolicyEvent): RedactionPolicyState => {
  switch (event.type) {
    case 'RedactionPolicyCreated':
    case 'RedactionPolicyChanged': {
      const { name, rules, appliesTo } = event;
      return { status: 'in_force', name, rules, appliesTo };
    }
    case 'RedactionPolicyDeleted':
      return { status: 'deleted' };
  }
};

import type { RedactionPolicyEvent } from './events.ts';
import type { RedactionRule, Stage } from './rule.ts';

export type RedactionPolicyState =
  | { readonly status: 'none' }
  | {
      readonly status: 'in_force';
      readonly name: string;
      readonly rules: readonly RedactionRule[];
      readonly applies_to: readonly Stage[];
    }
  | { readonly status: 'deleted' };

export const initial: RedactionPolicyState = { status: 'none' };

export const evolve = (_: RedactionPolicyState, event: RedactionPolicyEvent): RedactionPolicyState => {
  switch (event.type) {
    case 'RedactionPolicyCreated':
    case 'RedactionPolicyChanged': {
      const { name, rules, applies_to } = event;
      return { status: 'in_force', name, rules, applies_to };
    }
    case 'RedactionPolicyDeleted':
      return { status: 'deleted' };
  }
};

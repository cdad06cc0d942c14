import type { Decider } from '../shared/decider.ts';
import type { RedactionPolicyCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { RedactionPolicyEvent } from './events.ts';
import { evolve, initial, type RedactionPolicyState } from './state.ts';

export const redactionPolicy: Decider<
  RedactionPolicyCommand,
  RedactionPolicyEvent,
  RedactionPolicyState,
  'redactionPolicy'
> = {
  category: 'redactionPolicy',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export {
  checkRules,
  type RedactionRule,
  replacementOf,
  RULE_KINDS,
  RULE_LIMITS,
  type RuleKind,
  type Stage,
  STAGES,
} from './rule.ts';

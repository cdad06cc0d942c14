import { DomainError } from '../shared/domain-error.ts';
import type { ChangeRedactionPolicy, CreateRedactionPolicy, RedactionPolicyCommand } from './commands.ts';
import type { RedactionPolicyEvent } from './events.ts';
import { checkRules, type RedactionRule, type Stage } from './rule.ts';
import type { RedactionPolicyState } from './state.ts';

export const decide = (
  command: RedactionPolicyCommand,
  state: RedactionPolicyState,
): readonly RedactionPolicyEvent[] => {
  switch (command.type) {
    case 'create':
      // A repeated request: later changes of the policy are kept.
      if (state.status !== 'none') return [];
      check(command);
      return [{ ...command, type: 'RedactionPolicyCreated' }];
    case 'change':
      if (state.status !== 'in_force') throw noSuch();
      check(command);
      return isSame(command, state) ? [] : [{ ...command, type: 'RedactionPolicyChanged' }];
    case 'delete':
      if (state.status !== 'in_force') throw noSuch();
      return [{ type: 'RedactionPolicyDeleted', at: command.at }];
  }
};

const noSuch = (): DomainError => new DomainError('not_found', 'there is no such redaction policy');

const MAX_NAME = 100;

const check = ({ name, rules, appliesTo }: CreateRedactionPolicy | ChangeRedactionPolicy): void => {
  if (name.trim() === '' || name.length > MAX_NAME) {
    throw new DomainError('invalid_request', `the name of a policy has 1 to ${MAX_NAME} characters`);
  }
  if (appliesTo.length === 0) {
    throw new DomainError('invalid_request', 'a policy applies to at least one of its stages');
  }
  checkRules(rules);
};

interface Policy {
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
}

const isSame = (a: Policy, b: Policy): boolean =>
  a.name === b.name &&
  a.appliesTo.length === b.appliesTo.length &&
  a.appliesTo.every((stage) => b.appliesTo.includes(stage)) &&
  a.rules.length === b.rules.length &&
  a.rules.every((rule, i) => isSameRule(rule, b.rules[i]));

const isSameRule = (a: RedactionRule, b: RedactionRule | undefined): boolean =>
  a.name === b?.name && a.kind === b.kind && a.pattern === b.pattern && a.replacement === b.replacement;

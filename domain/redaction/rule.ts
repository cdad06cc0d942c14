import { DomainError } from '../shared/domain-error.ts';

/** What a rule looks for: the caller's pattern, or a built-in kind. */
export const RULE_KINDS = ['pattern', 'email', 'phone', 'card', 'iban', 'ip', 'national_id', 'key'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/**
 * Where a policy applies: to documents before they are indexed, to contents when they are read, to answers, and to
 * what agents see and say.
 */
export const STAGES = ['ingestion', 'content', 'completion', 'agent'] as const;
export type Stage = (typeof STAGES)[number];

export interface RedactionRule {
  readonly name: string;
  readonly kind: RuleKind;
  /** RE2 syntax. Required with kind `pattern`, not allowed with other kinds. */
  readonly pattern?: string;
  /** Replacement of a match; default: the name in brackets. */
  readonly replacement?: string;
}

/** Chosen so that a policy always fits in one event, even if JSON needs six bytes per character. */
export const RULE_LIMITS = { rules: 50, name: 100, pattern: 500, replacement: 100 } as const;

/** The replacement of the rule's matches. */
export const replacementOf = ({ name, replacement }: RedactionRule): string => replacement ?? `[${name}]`;

/** Does not compile patterns. @throws DomainError invalid_request, pattern_invalid */
export const checkRules = (rules: readonly RedactionRule[]): void => {
  if (rules.length === 0) throw invalid('a policy needs at least one rule');
  if (rules.length > RULE_LIMITS.rules) throw invalid(`a policy has at most ${RULE_LIMITS.rules} rules`);
  const names = new Set<string>();
  for (const rule of rules) {
    checkRule(rule);
    if (names.has(rule.name)) throw invalid(`two rules are named ${JSON.stringify(rule.name)}`);
    names.add(rule.name);
  }
};

const checkRule = ({ name, kind, pattern, replacement }: RedactionRule): void => {
  const named = `rule ${JSON.stringify(name.slice(0, RULE_LIMITS.name))}`;
  if (name.trim() === '' || name.length > RULE_LIMITS.name) {
    throw invalid(`the name of a rule has 1 to ${RULE_LIMITS.name} characters`);
  }
  if (kind === 'pattern' && (pattern === undefined || pattern === '')) {
    throw invalid(`${named} is of kind pattern but has no pattern`);
  }
  if (kind !== 'pattern' && pattern !== undefined) {
    throw invalid(`${named} is of kind ${kind}, which takes no pattern`);
  }
  if ((pattern?.length ?? 0) > RULE_LIMITS.pattern) {
    throw new DomainError('pattern_invalid', `${named}: more than ${RULE_LIMITS.pattern} characters`);
  }
  if (replacement !== undefined && (replacement === '' || replacement.length > RULE_LIMITS.replacement)) {
    throw invalid(`${named}: a replacement has 1 to ${RULE_LIMITS.replacement} characters`);
  }
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);

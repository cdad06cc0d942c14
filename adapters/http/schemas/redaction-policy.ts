import Type, { type Static } from 'typebox';
import { RULE_KINDS, RULE_LIMITS, STAGES } from '../../../domain/redaction/index.ts';
import { closed, Id, Pagination, patterned, UnixSeconds } from './common.ts';
import { REDACTION_KINDS } from './redaction-kinds.ts';

const named = (most: number, description: string) =>
  patterned('\\S', 'must not be blank', { maxLength: most, description });

const AppliesTo = Type.Array(Type.Enum([...STAGES]), {
  minItems: 1,
  // The limit comes before the comparison of all with all.
  maxItems: STAGES.length,
  uniqueItems: true,
  description:
    'Where it holds: before a document is indexed, when contents are read, in answers, in what agents say',
});

export const RedactionRule = closed({
  name: named(RULE_LIMITS.name, 'Unique within the policy'),
  kind: Type.Enum([...RULE_KINDS], { description: REDACTION_KINDS }),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RULE_LIMITS.pattern,
      description: 'RE2 syntax; with kind `pattern` alone. Must not spell out what it is to hide: it is kept',
    }),
  ),
  replacement: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RULE_LIMITS.replacement,
      description: 'What stands for a finding; absent: the name in brackets',
    }),
  ),
});
export type RedactionRule = Static<typeof RedactionRule>;

const fields = {
  name: named(100, 'For people'),
  rules: Type.Array(RedactionRule, { minItems: 1, maxItems: RULE_LIMITS.rules }),
  applies_to: AppliesTo,
};
export const RedactionPolicyCreate = closed(fields);
export type RedactionPolicyCreate = Static<typeof RedactionPolicyCreate>;

export const RedactionPolicy = Type.Object({
  id: Id,
  ...fields,
  creation_time: UnixSeconds,
  change_time: UnixSeconds,
});
export type RedactionPolicy = Static<typeof RedactionPolicy>;
export const RedactionPolicyList = Type.Object({
  redaction_policies: Type.Array(RedactionPolicy),
  pagination: Pagination,
});

export const RedactionTest = closed({ text: Type.String({ maxLength: 100_000 }) });
export const RedactionTestResult = Type.Object({
  text: Type.String(),
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      kind: Type.Enum([...RULE_KINDS]),
      start: Type.Integer({ description: 'Offset in the text as it was sent, in UTF-16 units' }),
      end: Type.Integer({ description: 'Exclusive' }),
    }),
  ),
});

import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import type { RedactionPolicy, RedactionPolicyCreate } from '../schemas/redaction-policy.ts';
import { seconds } from './data-source-record.ts';

export const redactionPolicyRecord = (row: RedactionPolicyRow): RedactionPolicy => ({
  id: row.id,
  name: row.name,
  rules: row.rules.map((rule) => ({ ...rule })),
  applies_to: [...row.appliesTo],
  creation_time: seconds(row.createdAt),
  change_time: seconds(row.changedAt),
});

export const redactionPolicyRequest = ({ name, rules, applies_to: appliesTo }: RedactionPolicyCreate) => ({
  name,
  rules: rules.map(({ name: rule, kind, pattern, replacement }): RedactionRule => ({
    name: rule,
    kind,
    ...(pattern !== undefined && { pattern }),
    ...(replacement !== undefined && { replacement }),
  })),
  appliesTo,
});

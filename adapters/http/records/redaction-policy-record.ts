import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import type { RedactionPolicy, RedactionPolicyCreate } from '../schemas/redaction-policy.ts';
import { seconds } from './data-source-record.ts';

export const redactionPolicyRecord = (row: RedactionPolicyRow): RedactionPolicy => ({
  id: row.id,
  name: row.name,
  rules: row.rules.map((rule) => ({ ...rule })),
  applies_to: [...row.applies_to],
  creation_time: seconds(row.created_at),
  change_time: seconds(row.changed_at),
});

export const redactionPolicyRequest = ({ name, rules, applies_to }: RedactionPolicyCreate) => ({
  name,
  rules: rules.map(({ name: rule, kind, pattern, replacement }): RedactionRule => ({
    name: rule,
    kind,
    ...(pattern !== undefined && { pattern }),
    ...(replacement !== undefined && { replacement }),
  })),
  applies_to,
});

import { redactionPolicy } from '../../domain/redaction/index.ts';
import { withRow } from '../read-models/with-row.ts';
import { redactionPolicyRow } from '../read-models/redaction-policy-row.ts';

/** Redaction policies, for operations that answer with their record. */
export const policyWithRow = withRow(redactionPolicy, redactionPolicyRow);

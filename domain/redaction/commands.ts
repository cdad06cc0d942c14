import type { RedactionRule, Stage } from './rule.ts';

interface RedactionPolicyContent {
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
}
export interface CreateRedactionPolicy extends RedactionPolicyContent {
  readonly type: 'create';
  readonly at: number;
}
/** Replaces the whole policy. */
export interface ChangeRedactionPolicy extends RedactionPolicyContent {
  readonly type: 'change';
  readonly at: number;
}
export interface DeleteRedactionPolicy {
  readonly type: 'delete';
  readonly at: number;
}
export type RedactionPolicyCommand = CreateRedactionPolicy | ChangeRedactionPolicy | DeleteRedactionPolicy;

import type { RedactionRule, Stage } from './rule.ts';

/**
 * Events of one redaction policy. They contain what the policy looks for, never what it found. A pattern is
 * configuration that is stored forever, so it must not contain the text that it is to hide.
 */

export interface RedactionPolicyCreated {
  readonly type: 'RedactionPolicyCreated';
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
  /** Unix milliseconds. */
  readonly at: number;
}
/** Replaces the whole policy. */
export interface RedactionPolicyChanged {
  readonly type: 'RedactionPolicyChanged';
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
  readonly at: number;
}
export interface RedactionPolicyDeleted {
  readonly type: 'RedactionPolicyDeleted';
  readonly at: number;
}
export type RedactionPolicyEvent = RedactionPolicyCreated | RedactionPolicyChanged | RedactionPolicyDeleted;

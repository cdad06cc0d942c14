import type { RedactionRule, Stage } from './rule.ts';

/**
 * Facts about one redaction policy. They hold what the policy looks for, never what it found: a pattern is
 * configuration, kept for ever, and must not spell out what it is to hide.
 */

export interface RedactionPolicyCreated {
  readonly type: 'RedactionPolicyCreated';
  readonly name: string;
  readonly rules: readonly RedactionRule[];
  readonly appliesTo: readonly Stage[];
  /** Unix milliseconds. */
  readonly at: number;
}
/** Replaces all of it. */
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

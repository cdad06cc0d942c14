import Type, { type TProperties, type TSchema } from 'typebox';
import type { AuthzPolicyEvent, AuthzSubjectEvent } from '../../../../domain/authz/decider.ts';
import { type RedactionPolicyEvent, RULE_KINDS, STAGES } from '../../../../domain/redaction/index.ts';

import { type DataOf, fact, orNull, Uuid } from './facts.ts';

const Rule = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...RULE_KINDS]),
  pattern: Type.Optional(Type.String()),
  replacement: Type.Optional(Type.String()),
});
const redaction = (description: string): TSchema =>
  fact(description, {
    name: Type.String(),
    rules: Type.Array(Rule),
    applies_to: Type.Array(Type.Enum([...STAGES])),
  });

export const REDACTION_POLICY: DataOf<RedactionPolicyEvent> = {
  RedactionPolicyCreated: redaction('A redaction policy begins'),
  RedactionPolicyChanged: redaction('All of it, from now on'),
  RedactionPolicyDeleted: fact('It hides nothing any more'),
};

/** As it was written: values may refer to attributes of the principal. */
const PolicyFilter = orNull(Type.Unsafe<object>({ type: 'object', additionalProperties: true }));
const authz = (description: string, properties: TProperties = {}): TSchema =>
  fact(description, {
    ...properties,
    name: Type.String(),
    description: Type.String(),
    source_metadata: PolicyFilter,
    chunk_metadata: PolicyFilter,
  });

export const AUTHZ: DataOf<AuthzPolicyEvent | AuthzSubjectEvent> = {
  AuthzPolicyCreated: authz('An authz policy begins', { policy_id: Uuid }),
  AuthzPolicyChanged: authz('All of its rules, from now on'),
  AuthzPolicyDeleted: fact('Requests that name it are refused', { name: Type.String() }),
  AuthzAttributesSet: fact('All that the policy knows of the principal', {
    principal_id: Type.String(),
    authz_policy: Type.String(),
    attributes: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  }),
  AuthzAttributesDeleted: fact('No policy knows anything of the principal', { principal_id: Type.String() }),
};

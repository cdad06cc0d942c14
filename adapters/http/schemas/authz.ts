import Type, { type Static } from 'typebox';
import { closed, CursorPagination, Limit, policyName, UnixSeconds, DeletedAt } from './common.ts';

const PolicyFilter = (description: string) =>
  Type.Optional(
    Type.Unsafe<object>({
      $ref: 'Filter',
      description: `${description}. \`val\`, \`min\` and \`max\` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false`,
    }),
  );
const rules = {
  description: Type.Optional(Type.String({ maxLength: 2000, description: 'An empty text: none' })),
  source_metadata: PolicyFilter('What the metadata of a source must satisfy; absent: anything'),
  chunk_metadata: PolicyFilter('What the metadata of a chunk must satisfy, too; absent: anything'),
};

export const AuthzPolicy = Type.Object({
  name: Type.String(),
  ...rules,
  creation_time: UnixSeconds,
  deleted_at: DeletedAt,
});
export type AuthzPolicy = Static<typeof AuthzPolicy>;
export const AuthzPolicyList = Type.Object({
  authz_policies: Type.Array(AuthzPolicy),
  pagination: CursorPagination,
});
const OWN_DEPARTMENT = {
  filters: [{ key: 'department', operator: 'in', val: { subject: 'department' } }],
};
export const AuthzPolicyCreate = closed(
  { name: policyName(), ...rules },
  { examples: [{ name: 'readers', source_metadata: OWN_DEPARTMENT }] },
);
export const AuthzPolicyReplacement = closed(rules, { examples: [{ source_metadata: OWN_DEPARTMENT }] });
export type AuthzPolicyReplacement = Static<typeof AuthzPolicyReplacement>;

const Attributes = Type.Unsafe<{ [key: string]: string | number | boolean | string[] }>({
  type: 'object',
  maxProperties: 100,
  propertyNames: { type: 'string', minLength: 1, maxLength: 200 },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 2000 },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 2000 } },
    ],
  },
});

export const AuthzSubject = Type.Object({
  principal_id: Type.String(),
  policies: Type.Array(Type.Object({ authz_policy: Type.String(), attributes: Attributes })),
  creation_time: UnixSeconds,
  deleted_at: DeletedAt,
});
export type AuthzSubject = Static<typeof AuthzSubject>;
export const AuthzSubjectList = Type.Object({
  authz_subject_attributes: Type.Array(AuthzSubject),
  pagination: CursorPagination,
});
export const AuthzSubjectReplacement = closed(
  {
    authz_policy: Type.Optional(policyName()),
    attributes: Attributes,
  },
  { examples: [{ authz_policy: 'readers', attributes: { department: ['sales'] } }] },
);

const cursor = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));
export const NamedListQuery = closed({
  limit: Type.Optional(Limit),
  after: cursor('Fetch records after this name, by code points'),
  next_id: cursor('Another name of `after`'),
});
export type NamedListQuery = Static<typeof NamedListQuery>;

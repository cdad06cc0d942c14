import type { SubjectRecord } from '../../../application/authz/subject-operations.ts';
import type { Attributes, Policy } from '../../../domain/authz/index.ts';
import type { AuthzPolicy, AuthzSubject } from '../schemas/authz.ts';
import { seconds } from './data-source-record.ts';

export const authzPolicyRecord = (policy: Policy): AuthzPolicy => {
  const { name, description, source_metadata, chunk_metadata, created_at } = policy;
  return {
    name,
    ...(description !== '' && { description }),
    ...(source_metadata !== null && { source_metadata }),
    ...(chunk_metadata !== null && { chunk_metadata }),
    creation_time: seconds(created_at),
  };
};

export const authzSubjectRecord = ({ principal_id, policies, created_at }: SubjectRecord): AuthzSubject => ({
  principal_id,
  policies: policies.map(({ authz_policy, attributes }) => ({
    authz_policy,
    attributes: copied(attributes),
  })),
  creation_time: seconds(created_at),
});

const copied = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  );

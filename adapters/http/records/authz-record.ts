import type { SubjectRecord } from '../../../application/access/authz/subject-operations.ts';
import type { Attributes, Policy } from '../../../domain/authz/decider.ts';
import type { AuthzPolicy, AuthzSubject } from '../schemas/authz.ts';
import { seconds } from './data-source-record.ts';

export const authzPolicyRecord = (policy: Policy): AuthzPolicy => {
  const { name, description, sourceMetadata, chunkMetadata, createdAt } = policy;
  return {
    name,
    ...(description !== '' && { description }),
    ...(sourceMetadata !== null && { source_metadata: sourceMetadata }),
    ...(chunkMetadata !== null && { chunk_metadata: chunkMetadata }),
    creation_time: seconds(createdAt),
  };
};

export const authzSubjectRecord = ({ principalId, policies, createdAt }: SubjectRecord): AuthzSubject => ({
  principal_id: principalId,
  policies: policies.map(({ authzPolicy, attributes }) => ({
    authz_policy: authzPolicy,
    attributes: copied(attributes),
  })),
  creation_time: seconds(createdAt),
});

const copied = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  );

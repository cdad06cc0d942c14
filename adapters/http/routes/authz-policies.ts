import type {
  AuthzPolicyOperations,
  PolicyRequest,
} from '../../../application/access/authz/policy-operations.ts';
import type { SubjectRecord } from '../../../application/access/authz/subject-operations.ts';
import type { NamedPageRequest } from '../../../application/ports/access-views.ts';
import type { Policy } from '../../../domain/authz/decider.ts';
import type { Attributes } from '../../../domain/authz/policy-filter.ts';
import { created, ok } from '../json-response.ts';
import { cursorOf, paginationOf } from '../parameters.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  AuthzPolicy,
  AuthzPolicyCreate,
  AuthzPolicyList,
  AuthzPolicyReplacement,
  type AuthzSubject,
  NamedListQuery,
} from '../schemas/authz.ts';
import { Message } from '../schemas/common.ts';

const common = { tag: 'authorization', scope: 'authz:grant' } as const;

export const authzPolicyRoutes = (policies: AuthzPolicyOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'post',
    path: '/authz-policies',
    operationId: 'createAuthzPolicy',
    summary: 'Create an authz policy',
    description: 'The policy `default`, for requests that name none, is defined by PUT.',
    body: AuthzPolicyCreate,
    idempotent: true,
    writes: true,
    settles: ['authz_policy'],
    answers: { 201: AuthzPolicy },
    problems: ['name_taken', 'filter_invalid', 'idempotency_conflict'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const made = await policies.create(caller, body.name, requestOf(body), idempotencyKey);
      return created(authzPolicyRecord(made.record), `/authz-policies/${made.record.name}`, made);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/authz-policies',
    operationId: 'listAuthzPolicies',
    summary: 'List authz policies by name',
    description: 'In the order of their names, by code points; the cursor is a name.',
    query: NamedListQuery,
    reads: ['authz_policy'],
    rewinds: 'name',
    answers: { 200: AuthzPolicyList },
    handler: async ({ caller, query }) => {
      const request = namedPageOf(query);
      const page = await policies.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ name }) => name);
      return ok({ authz_policies: page.rows.map(authzPolicyRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/authz-policies/{name}',
    operationId: 'getAuthzPolicy',
    summary: 'Get an authz policy',
    description: 'Read from its events: it always holds what was written before.',
    // It reads the stream itself, which contains every write immediately.
    reads: [],
    rewinds: 'name',
    answers: { 200: AuthzPolicy },
    problems: ['not_found'],
    handler: async ({ caller, params }) => ok(authzPolicyRecord(await policies.get(caller, params['name']!))),
  }),
  route({
    ...common,
    method: 'put',
    path: '/authz-policies/{name}',
    operationId: 'replaceAuthzPolicy',
    summary: 'Replace the rules of an authz policy, or define the policy `default`',
    description: 'What is absent is asked no more. It holds for every request from this answer on.',
    body: AuthzPolicyReplacement,
    writes: true,
    settles: ['authz_policy'],
    answers: { 200: AuthzPolicy },
    problems: ['not_found', 'filter_invalid'],
    handler: async ({ caller, params, body }) => {
      const { record, position } = await policies.replace(caller, params['name']!, requestOf(body));
      return ok(authzPolicyRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: '/authz-policies/{name}',
    operationId: 'deleteAuthzPolicy',
    summary: 'Delete an authz policy: requests that name it are refused from now on',
    description:
      'Its name is free again. Without `default`, requests that name no policy read nothing while authorization is on.',
    writes: true,
    settles: ['authz_policy'],
    answers: { 200: Message },
    problems: ['not_found'],
    handler: async ({ caller, params }) => {
      const { record, position } = await policies.remove(caller, params['name']!);
      return ok({ message: `the authz policy ${record} was deleted` }, position);
    },
  }),
];

const requestOf = (body: AuthzPolicyReplacement): PolicyRequest => ({
  description: body.description ?? '',
  sourceMetadata: body.source_metadata ?? null,
  chunkMetadata: body.chunk_metadata ?? null,
});

export const namedPageOf = ({ limit = 20, after, next_id: nextId }: NamedListQuery): NamedPageRequest => {
  const cursor = cursorOf(after, nextId);
  return cursor === undefined ? { limit } : { limit, after: cursor };
};

const authzPolicyRecord = (policy: Policy): AuthzPolicy => {
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

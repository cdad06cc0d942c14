import type { AuthzSubjectOperations } from '../../../application/access/authz/subject-operations.ts';
import { DEFAULT_POLICY } from '../../../domain/authz/decider.ts';
import { ok } from '../json-response.ts';
import { paginationOf } from '../parameters.ts';
import { authzSubjectRecord, namedPageOf } from './authz-policies.ts';
import { type AnyRoute, route } from '../route.ts';
import { AuthzSubject, AuthzSubjectList, AuthzSubjectReplacement, NamedListQuery } from '../schemas/authz.ts';
import { Message } from '../schemas/common.ts';

const common = { tag: 'authorization', scope: 'authz:grant' } as const;
const PATH = '/authz-subject-attributes';

export const authzSubjectRoutes = (subjects: AuthzSubjectOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    operationId: 'listAuthzSubjectAttributes',
    summary: 'List what authz policies know of principals, by principal',
    description: 'In the order of the principals, by code points; the cursor is a principal.',
    query: NamedListQuery,
    reads: ['authz_subject'],
    rewinds: 'principal_id',
    answers: { 200: AuthzSubjectList },
    handler: async ({ caller, query }) => {
      const request = namedPageOf(query);
      const page = await subjects.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ principalId }) => principalId);
      return ok({ authz_subject_attributes: page.rows.map(authzSubjectRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{principal_id}`,
    operationId: 'getAuthzSubjectAttributes',
    summary: 'Get what authz policies know of a principal',
    description:
      'Read from its events: it always holds what was written before. What each policy knows is told apart.',
    // It reads the stream itself, which contains every write immediately.
    reads: [],
    rewinds: 'principal_id',
    answers: { 200: AuthzSubject },
    problems: ['not_found'],
    handler: async ({ caller, params }) =>
      ok(authzSubjectRecord(await subjects.get(caller, params['principal_id']!))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${PATH}/{principal_id}`,
    operationId: 'setAuthzSubjectAttributes',
    summary: 'Replace all that one authz policy knows of a principal',
    description: 'Without `authz_policy` it is the policy `default`. It holds from this answer on.',
    body: AuthzSubjectReplacement,
    writes: true,
    settles: ['authz_subject'],
    answers: { 200: AuthzSubject },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, params, body: { authz_policy: authzPolicy = DEFAULT_POLICY, attributes } }) => {
      const set = await subjects.set(caller, params['principal_id']!, authzPolicy, attributes);
      return ok(authzSubjectRecord(set.record), set.position);
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/{principal_id}`,
    operationId: 'deleteAuthzSubjectAttributes',
    summary: 'Delete all that authz policies know of a principal',
    description: 'For every policy at once. Conditions on what is missing are false from this answer on.',
    writes: true,
    settles: ['authz_subject'],
    answers: { 200: Message },
    problems: ['not_found'],
    handler: async ({ caller, params }) => {
      const { position } = await subjects.remove(caller, params['principal_id']!);
      return ok({ message: 'the attributes of the principal were deleted' }, position);
    },
  }),
];

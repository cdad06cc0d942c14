import type { RedactionPolicyRow } from '../../../application/ports/redaction-policy-view.ts';
import type { RedactionPolicyOperations } from '../../../application/redaction/operations.ts';
import type { Redacted } from '../../../application/redaction/redactor.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import { ListQuery, Message } from '../schemas/common.ts';
import {
  RedactionPolicy,
  RedactionPolicyCreate,
  RedactionPolicyList,
  RedactionTest,
  RedactionTestResult,
  RedactionTrial,
} from '../schemas/redaction-policy.ts';

const common = { tag: 'redaction policies', scope: 'policy:redaction:manage' } as const;
const reads = ['redaction_policy'] as const;

export const redactionPolicyRoutes = (policies: RedactionPolicyOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'post',
    path: '/redaction-policies',
    operationId: 'createRedactionPolicy',
    summary: 'Create a redaction policy',
    description:
      'With `ingestion` it holds for documents that are read from now on: those that are indexed already change with a ' +
      'sync in mode full. The stored files of documents stay as they were fetched.',
    body: RedactionPolicyCreate,
    idempotent: true,
    writes: true,
    settles: ['redaction_policy'],
    answers: { 201: RedactionPolicy },
    problems: ['pattern_invalid', 'key_restricted', 'idempotency_conflict'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const made = await policies.create(caller, redactionPolicyRequest(body), idempotencyKey);
      return created(redactionPolicyRecord(made.record), `/redaction-policies/${made.record.id}`, made);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/redaction-policies',
    operationId: 'listRedactionPolicies',
    summary: 'List redaction policies, newest first',
    description: 'All that hold for the tenant, whichever stages they apply to.',
    query: ListQuery,
    reads,
    rewinds: 'id',
    answers: { 200: RedactionPolicyList },
    problems: ['key_restricted'],
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await policies.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ redaction_policies: page.rows.map(redactionPolicyRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/redaction-policies/{id}',
    operationId: 'getRedactionPolicy',
    summary: 'Get a redaction policy',
    description: 'With its rules as they were written.',
    reads,
    rewinds: 'id',
    answers: { 200: RedactionPolicy },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => ok(redactionPolicyRecord(await policies.get(caller, id))),
  }),
  route({
    ...common,
    method: 'put',
    path: '/redaction-policies/{id}',
    operationId: 'replaceRedactionPolicy',
    summary: 'Replace a redaction policy',
    description: 'All of it at once. With `ingestion` it holds for documents that are read from now on.',
    body: RedactionPolicyCreate,
    writes: true,
    settles: ['redaction_policy'],
    answers: { 200: RedactionPolicy },
    problems: ['pattern_invalid', 'key_restricted'],
    handler: async ({ caller, id, body }) => {
      const { record, position } = await policies.change(caller, id, redactionPolicyRequest(body));
      return ok(redactionPolicyRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: '/redaction-policies/{id}',
    operationId: 'deleteRedactionPolicy',
    summary: 'Delete a redaction policy',
    description: 'What was redacted at ingestion comes back with a sync in mode full.',
    writes: true,
    settles: ['redaction_policy'],
    answers: { 200: Message },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => {
      const { position } = await policies.remove(caller, id);
      return ok({ message: `redaction policy ${id} was deleted` }, position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/redaction-policies/{id}/test',
    operationId: 'testRedactionPolicy',
    summary: 'Try a redaction policy on a text',
    description: 'Nothing of the text is kept.',
    body: RedactionTest,
    reads,
    answers: { 200: RedactionTestResult },
    problems: ['key_restricted'],
    handler: async ({ caller, id, body }) => {
      return ok(testResult(await policies.test(caller, id, body.text)));
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/redaction-policies/test',
    operationId: 'testRedactionRules',
    summary: 'Try rules on a text before a policy has them',
    description: 'Nothing of rules and text is kept.',
    body: RedactionTrial,
    reads: [],
    answers: { 200: RedactionTestResult },
    problems: ['pattern_invalid', 'key_restricted'],
    handler: async ({ caller, body }) =>
      ok(testResult(await policies.testRules(caller, body.rules.map(redactionRule), body.text))),
  }),
];

const testResult = ({ text, findings }: Redacted) => ({
  text,
  findings: findings.map((finding) => ({ ...finding })),
});

const redactionPolicyRecord = (row: RedactionPolicyRow): RedactionPolicy => ({
  id: row.id,
  name: row.name,
  rules: row.rules.map((rule) => ({ ...rule })),
  applies_to: [...row.appliesTo],
  creation_time: seconds(row.createdAt),
  change_time: seconds(row.changedAt),
});

const redactionPolicyRequest = ({ name, rules, applies_to: appliesTo }: RedactionPolicyCreate) => ({
  name,
  rules: rules.map(redactionRule),
  appliesTo,
});

const redactionRule = ({
  name,
  kind,
  pattern,
  replacement,
}: RedactionPolicyCreate['rules'][number]): RedactionRule => ({
  name,
  kind,
  ...(pattern !== undefined && { pattern }),
  ...(replacement !== undefined && { replacement }),
});

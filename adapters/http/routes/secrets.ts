import type { SecretOperations } from '../../../application/access/secrets/operations.ts';
import { created, ok } from '../answer.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { secretChange, secretRecord, secretRequest } from '../records/secret-record.ts';
import { type AnyRoute, route } from '../route.ts';
import { ListQuery, Message } from '../schemas/common.ts';
import { Secret, SecretChange, SecretCreate, SecretList } from '../schemas/secret.ts';

const common = { tag: 'secrets', scope: 'ingestion:manage' } as const;
const read = { ...common, method: 'get', reads: ['secret'] } as const;
const write = { ...common, writes: true, settles: ['secret'] } as const;

export const secretRoutes = (secrets: SecretOperations): readonly AnyRoute[] => [
  route({
    ...write,
    method: 'post',
    path: '/secrets',
    operationId: 'createSecret',
    summary: 'Keep a secret for data sources',
    description:
      'What the service signs its requests to a provider with. Data sources name it by its id, as `secret_id`. The ' +
      'value is encrypted under a key of its own and is in no answer, event, log or trace.',
    body: SecretCreate,
    idempotent: true,
    answers: { 201: Secret },
    problems: ['key_restricted', 'idempotency_conflict', 'not_configured'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const made = await secrets.create(caller, secretRequest(body), idempotencyKey);
      return created(secretRecord(made.record), `/secrets/${made.record.id}`, made);
    },
  }),
  route({
    ...read,
    path: '/secrets',
    operationId: 'listSecrets',
    summary: 'List secrets, newest first',
    description: 'Without their values, which no answer holds.',
    query: ListQuery,
    answers: { 200: SecretList },
    problems: ['key_restricted'],
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await secrets.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ secrets: page.rows.map(secretRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/secrets/{id}',
    operationId: 'getSecret',
    summary: 'Get a secret',
    description: 'Without its value, with the number of data sources that name it.',
    answers: { 200: Secret },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => ok(secretRecord(await secrets.get(caller, id))),
  }),
  route({
    ...write,
    method: 'put',
    path: '/secrets/{id}',
    operationId: 'changeSecret',
    summary: 'Change name, value or expiry of a secret',
    description:
      'What is absent stays as it is, and so does the type. Another value is in force at the next request to the ' +
      'provider, for jobs under way too.',
    body: SecretChange,
    answers: { 200: Secret },
    problems: ['key_restricted', 'not_configured'],
    handler: async ({ caller, id, body }) => {
      const { record, position } = await secrets.change(caller, id, secretChange(body));
      return ok(secretRecord(record), position);
    },
  }),
  route({
    ...write,
    method: 'delete',
    path: '/secrets/{id}',
    operationId: 'deleteSecret',
    summary: 'Delete a secret',
    description: 'Destroys the key of its value. Refused while a data source names it.',
    answers: { 200: Message },
    problems: ['secret_in_use', 'key_restricted'],
    handler: async ({ caller, id }) => {
      const { position } = await secrets.remove(caller, id);
      return ok({ message: `secret ${id} was deleted` }, position);
    },
  }),
];

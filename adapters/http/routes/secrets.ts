import type {
  SecretChange as Change,
  SecretOperations,
} from '../../../application/access/secrets/operations.ts';
import type { SecretRecord } from '../../../application/access/secrets/stored-value.ts';
import { SECRET_TYPES } from '../../../domain/secret/decider.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  Id,
  LastUsedTime,
  ListQuery,
  Message,
  Name,
  Pagination,
  UnixSeconds,
  closed,
  DeletedAt,
} from '../schemas/common.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

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
    rewinds: 'id',
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
    rewinds: 'id',
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

const secretRecord = (record: SecretRecord): Secret => ({
  id: record.id,
  name: record.name,
  type: record.secretType,
  ...(record.expiresAt !== null && { expires_at: seconds(record.expiresAt) }),
  creation_time: seconds(record.createdAt),
  change_time: seconds(record.changedAt),
  ...(record.lastUsedAt !== null && { last_used_time: seconds(record.lastUsedAt) }),
  in_use_count: record.inUse,
});

const secretRequest = ({ name, type, value, expires_at: expiresAt = null }: SecretCreate) => ({
  name,
  secretType: type,
  value,
  expiresAt: millis(expiresAt),
});

const secretChange = ({ name, type, value, expires_at: expiresAt }: SecretChange): Change => ({
  ...(name !== undefined && { name }),
  ...(type !== undefined && { secretType: type }),
  ...(value !== undefined && { value }),
  ...(expiresAt !== undefined && { expiresAt: millis(expiresAt) }),
});

const millis = (seconds_: number | null): number | null => (seconds_ === null ? null : seconds_ * 1_000);

const SecretType = Type.Enum([...SECRET_TYPES], {
  description:
    '`token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged for access ' +
    'tokens. `service_account`: the key file of an account that signs its requests for access tokens. `app`: the ' +
    'installation of an app, with the key of the app',
});

const Value = Type.Unsafe<string | { readonly [field: string]: unknown }>({
  type: ['string', 'object'],
  minLength: 1,
  maxLength: 20_000,
  maxProperties: 50,
  additionalProperties: true,
  writeOnly: true,
  description:
    'Never shown again. `token`: the token. `basic`: {username, password}, or `username:password`. `oauth_refresh`: ' +
    '{client_id, client_secret, refresh_token}. `service_account`: {client_email, private_key}, or the key file of the ' +
    'provider. `app`: {app_id, installation_id, private_key}. An object may be sent as its JSON in a text',
});
const ExpiresAt = Type.Optional(
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 253_402_300_799,
    description: 'Unix timestamp in seconds; from then on it is not used any more. Null: never',
  }),
);

export const SecretCreate = closed(
  { name: Name, type: SecretType, value: Value, expires_at: ExpiresAt },
  { examples: [{ name: 'Git host', type: 'token', value: 'the-token-of-the-host' }] },
);
export type SecretCreate = Static<typeof SecretCreate>;

export const SecretChange = closed(
  {
    name: Type.Optional(Name),
    type: Type.Optional(SecretType),
    value: Type.Optional(Value),
    expires_at: ExpiresAt,
  },
  { minProperties: 1, examples: [{ value: 'the-next-token' }] },
);
export type SecretChange = Static<typeof SecretChange>;

export const Secret = Type.Object({
  id: Id,
  deleted_at: DeletedAt,
  name: Type.String(),
  type: SecretType,
  expires_at: Type.Optional(UnixSeconds),
  creation_time: UnixSeconds,
  change_time: Type.Integer({
    description: 'Of name, expiry or value, by a caller; Unix timestamp in seconds',
  }),
  last_used_time: LastUsedTime,
  in_use_count: Type.Integer({ minimum: 0, description: 'Data sources that name it' }),
});
export type Secret = Static<typeof Secret>;
export const SecretList = Type.Object({ secrets: Type.Array(Secret), pagination: Pagination });

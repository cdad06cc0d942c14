import type {
  ApiKeyOperations,
  ApiKeyRecord,
  ApiKeyRequest,
} from '../../../application/access/api-keys/operations.ts';
import type { Clock } from '../../../application/ports/identity.ts';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { HttpProblem } from '../problem.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  Id,
  LastUsedTime,
  ListQuery,
  Message,
  Name,
  Nothing,
  Pagination,
  UnixSeconds,
  closed,
  DeletedAt,
} from '../schemas/common.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const common = { tag: 'api keys', scope: 'apikeys:issue' } as const;
const READS = ['api_key'] as const;

export const apiKeyRoutes = (keys: ApiKeyOperations, clock: Clock): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'post',
    path: '/api-keys',
    operationId: 'issueApiKey',
    summary: 'Issue an API key',
    description:
      'The key is shown once: the answer to a repeated Idempotency-Key has no `key`, because it is kept nowhere. Who ' +
      'never saw it replaces it by `POST /api-keys/{id}/rotate`. Nobody can grant a scope or a source group that its ' +
      'own key lacks, nor restrict a key to a source group that there is not (404).',
    body: ApiKeyCreate,
    idempotent: true,
    writes: true,
    settles: ['api_key'],
    answers: { 201: IssuedApiKey },
    problems: ['not_found', 'scope_not_grantable', 'key_restricted', 'idempotency_conflict'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const issued = await keys.issue(caller, requestOf(body, clock.now()), idempotencyKey);
      const { record } = issued;
      const answer = { ...apiKeyRecord(record.row), ...(record.key !== null && { key: record.key }) };
      return created(answer, `/api-keys/${record.row.id}`, issued);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys, newest first',
    description:
      'Without the keys themselves, which are kept nowhere. A restricted key sees those that reach no further than itself.',
    query: ListQuery,
    reads: READS,
    rewinds: 'id',
    answers: { 200: ApiKeyList },
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await keys.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ api_keys: page.rows.map(apiKeyRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/api-keys/{id}',
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: 'Without the key itself, which is kept nowhere. One that was revoked is not found.',
    reads: READS,
    rewinds: 'id',
    answers: { 200: ApiKey },
    handler: async ({ caller, id }) => ok(apiKeyRecord(await keys.get(caller, id))),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/api-keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Nobody can revoke a key with a scope or a source group that its own key lacks, nor the last key that can issue keys.',
    writes: true,
    settles: ['api_key'],
    answers: { 200: Message },
    problems: ['scope_not_grantable', 'key_restricted', 'last_issuer_key'],
    handler: async ({ caller, id }) => {
      const { position } = await keys.revoke(caller, id);
      return ok({ message: `API key ${id} was revoked` }, position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/api-keys/{id}/rotate',
    operationId: 'rotateApiKey',
    summary: 'Replace the key, keeping its id and its powers',
    description:
      'The new key is shown once; the old one is refused from now on. Nobody can rotate a key with a scope or a source ' +
      'group that its own key lacks.',
    body: Nothing,
    bodyOptional: true,
    writes: true,
    settles: ['api_key'],
    answers: { 200: IssuedApiKey },
    problems: ['scope_not_grantable', 'key_restricted'],
    handler: async ({ caller, id }) => {
      const { record, position } = await keys.rotate(caller, id);
      const answer = { ...apiKeyRecord(record.row), ...(record.key !== null && { key: record.key }) };
      return ok(answer, position);
    },
  }),
];

const requestOf = (body: ApiKeyCreate, now: number): ApiKeyRequest => {
  const expiresAt = body.expires_at === undefined || body.expires_at === null ? null : body.expires_at * 1000;
  if (expiresAt !== null && expiresAt <= now) {
    throw new HttpProblem('invalid_request', 'expires_at must lie in the future');
  }
  return {
    name: body.name,
    scopes: body.scopes,
    sourceGroupIds: body.source_group_ids?.map((id) => id.toLowerCase()) ?? null,
    expiresAt,
    requestsPerMinute: body.requests_per_minute ?? null,
  };
};

/** The record without the key and its hash. */
const apiKeyRecord = (row: ApiKeyRecord): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: [...row.scopes],
  ...(row.sourceGroupIds !== null && { source_group_ids: [...row.sourceGroupIds] }),
  ...(row.expiresAt !== null && { expires_at: seconds(row.expiresAt) }),
  ...(row.requestsPerMinute !== null && { requests_per_minute: row.requestsPerMinute }),
  creation_time: seconds(row.createdAt),
  ...(row.lastUsedAt !== null && { last_used_time: seconds(row.lastUsedAt) }),
});

const Scopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  // The limit applies before the quadratic comparison.
  maxItems: SCOPES.length,
  uniqueItems: true,
});

const fields = {
  id: Id,
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  source_group_ids: Type.Optional(
    Type.Array(Id, { description: 'The only source groups that the key sees; absent: all of them' }),
  ),
  expires_at: Type.Optional(UnixSeconds),
  requests_per_minute: Type.Optional(Type.Integer()),
  creation_time: UnixSeconds,
  last_used_time: LastUsedTime,
};
export const ApiKey = Type.Object({ ...fields, deleted_at: DeletedAt });
export type ApiKey = Static<typeof ApiKey>;
export const ApiKeyList = Type.Object({ api_keys: Type.Array(ApiKey), pagination: Pagination });

export const IssuedApiKey = Type.Object({
  ...fields,
  key: Type.Optional(
    Type.String({
      description: 'Shown this once and kept nowhere; absent in the answer to a repeated Idempotency-Key',
    }),
  ),
});

export const ApiKeyCreate = closed(
  {
    name: Name,
    scopes: Scopes,
    source_group_ids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: Id,
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: 'Restricts the key to these source groups',
      }),
    ),
    expires_at: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: 253_402_300_799,
        description: 'Unix timestamp in seconds',
      }),
    ),
    requests_per_minute: Type.Optional(
      Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 1_000_000 }),
    ),
  },
  { examples: [{ name: 'search alone', scopes: ['knowledge:read'] }] },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

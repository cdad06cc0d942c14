import Type, { type Static } from 'typebox';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import { closed, Id, Name, Pagination, UnixSeconds } from './common.ts';

const Scopes = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  // The limit comes before the comparison of all with all.
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
};
export const ApiKey = Type.Object(fields);
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

export const ApiKeyCreate = closed({
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
});
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

import Type, { type Static } from 'typebox';
import { SECRET_TYPES } from '../../../domain/secret/decider.ts';
import { closed, Id, Name, Pagination, UnixSeconds } from './common.ts';

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

export const SecretCreate = closed({ name: Name, type: SecretType, value: Value, expires_at: ExpiresAt });
export type SecretCreate = Static<typeof SecretCreate>;

export const SecretChange = closed(
  {
    name: Type.Optional(Name),
    type: Type.Optional(SecretType),
    value: Type.Optional(Value),
    expires_at: ExpiresAt,
  },
  { minProperties: 1 },
);
export type SecretChange = Static<typeof SecretChange>;

export const Secret = Type.Object({
  id: Id,
  name: Type.String(),
  type: SecretType,
  expires_at: Type.Optional(UnixSeconds),
  creation_time: UnixSeconds,
  change_time: Type.Integer({
    description: 'Of name, expiry or value, by a caller; Unix timestamp in seconds',
  }),
  last_used_time: Type.Optional(
    Type.Integer({ description: 'To about ten seconds; Unix timestamp in seconds. Absent: never' }),
  ),
  in_use_count: Type.Integer({ minimum: 0, description: 'Data sources that name it' }),
});
export type Secret = Static<typeof Secret>;
export const SecretList = Type.Object({ secrets: Type.Array(Secret), pagination: Pagination });

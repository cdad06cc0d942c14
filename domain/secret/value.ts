import { DomainError } from '../shared/domain-error.ts';
import type { SecretType } from './decider.ts';

export interface TokenValue {
  readonly type: 'token';
  readonly token: string;
}
export interface BasicValue {
  readonly type: 'basic';
  readonly username: string;
  readonly password: string;
}
/** A token that is exchanged for access tokens on behalf of the client to which it was issued. */
export interface OauthRefreshValue {
  readonly type: 'oauth_refresh';
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret?: string;
  readonly refreshToken: string;
}
/** A service account, which signs its requests for access tokens. */
export interface ServiceAccountValue {
  readonly type: 'service_account';
  readonly clientEmail: string;
  /** PEM. */
  readonly privateKey: string;
  readonly privateKeyId?: string;
  /** The user on whose behalf it acts. */
  readonly subject?: string;
}
/** An app that is installed at the provider. */
export interface AppValue {
  readonly type: 'app';
  readonly appId: string;
  readonly installationId: string;
  /** PEM. */
  readonly privateKey: string;
}
export type SecretValue = TokenValue | BasicValue | OauthRefreshValue | ServiceAccountValue | AppValue;

/** A text, or an object in the format of the provider or the caller. */
export type GivenValue = string | { readonly [field: string]: unknown };

/**
 * Parses a value from a caller. Fields have their API names. A text is the token itself for `token`,
 * `username:password` for `basic`, and the JSON of an object for all other types. For a service account the provider's
 * key file is accepted as it is; other fields in it are ignored, above all URLs to send requests to.
 *
 * @throws DomainError invalid_request, which names the field and never repeats the value
 */
export const parseSecretValue = (type: SecretType, given: GivenValue): SecretValue => {
  switch (type) {
    case 'token':
      if (typeof given === 'string') return { type, token: bearer(given.trim(), 'value') };
      return { type, token: bearer(fields(given, ['token']).line('token'), 'value.token') };
    case 'basic': {
      const read = typeof given === 'string' ? fields(pair(given), BASIC) : fields(given, BASIC);
      return { type, username: read.line('username'), password: read.exact('password') };
    }
    case 'oauth_refresh': {
      const read = fields(given, ['client_id', 'client_secret', 'refresh_token']);
      return {
        type,
        clientId: read.line('client_id'),
        ...(read.has('client_secret') && { clientSecret: read.line('client_secret') }),
        refreshToken: read.line('refresh_token'),
      };
    }
    case 'service_account': {
      const read = fields(given, null);
      return {
        type,
        clientEmail: read.line('client_email'),
        privateKey: read.key('private_key'),
        ...(read.has('private_key_id') && { privateKeyId: read.line('private_key_id') }),
        ...(read.has('subject') && { subject: read.line('subject') }),
      };
    }
    case 'app': {
      const read = fields(given, ['app_id', 'installation_id', 'private_key']);
      return {
        type,
        appId: read.line('app_id'),
        installationId: read.line('installation_id'),
        privateKey: read.key('private_key'),
      };
    }
  }
};

const BASIC = ['username', 'password'];

/** The first colon ends the user name, which cannot contain one (RFC 7617). */
const pair = (text: string): GivenValue => {
  const end = text.indexOf(':');
  if (end < 0) throw wrong('value must be username:password, or an object with both');
  return { username: text.slice(0, end), password: text.slice(end + 1) };
};

/** @param known the only allowed fields; null to ignore others */
const fields = (given: GivenValue, known: readonly string[] | null) => {
  const object = typeof given === 'string' ? parsed(given) : given;
  const unknown = Object.keys(object).find((name) => known !== null && !known.includes(name));
  if (unknown !== undefined) throw wrong(`value accepts only ${known?.join(', ')}`);
  const text = (name: string): string => {
    const value = object[name];
    // Providers show some ids as numbers.
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string') return value;
    throw wrong(`value.${name} must be a text`);
  };
  return {
    has: (name: string) => object[name] !== undefined && object[name] !== null,
    line: (name: string) => line(text(name).trim(), `value.${name}`),
    exact: (name: string) => line(text(name), `value.${name}`),
    key: (name: string) => pem(text(name), `value.${name}`),
  };
};

const parsed = (text: string): { readonly [field: string]: unknown } => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not set as the cause, because its message repeats a part of the text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as { readonly [field: string]: unknown };
  throw wrong('value must be an object, or its JSON as a text');
};

const MAX_CHARACTERS = 10_000;

/** Used in a header or a form, where a line break would start another header. */
const line = (text: string, name: string): string => {
  if (text === '' || text.length > MAX_CHARACTERS)
    throw wrong(`${name} must have 1 to ${MAX_CHARACTERS} characters`);
  if (CONTROL.test(text)) throw wrong(`${name} must not contain control characters or line breaks`);
  return text;
};
const CONTROL = /\p{Cc}/u;

/**
 * Used unencoded in a header, which allows no other characters (RFC 9110, section 5.5; RFC 6750 allows even fewer).
 */
const bearer = (text: string, name: string): string => {
  if (!VISIBLE.test(line(text, name)))
    throw wrong(
      `${name} must contain only visible ASCII characters, like all tokens: is a part of it missing?`,
    );
  return text;
};
const VISIBLE = /^[!-~]+$/;

const PEM = /^-----BEGIN (?:RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/=\n]+-----END (?:RSA )?PRIVATE KEY-----\n?$/;

const pem = (text: string, name: string): string => {
  // Environment variables often contain escaped line breaks.
  const key = text.replaceAll('\\n', '\n').replaceAll('\r\n', '\n').trim();
  if (key.length > MAX_CHARACTERS || !PEM.test(key))
    throw wrong(`${name} must be an RSA private key in PEM, unencrypted`);
  return `${key}\n`;
};

const wrong = (message: string): DomainError => new DomainError('invalid_request', message);

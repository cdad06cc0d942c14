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
/** A token that is exchanged for access tokens, as the client that it was given to. */
export interface OauthRefreshValue {
  readonly type: 'oauth_refresh';
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret?: string;
  readonly refreshToken: string;
}
/** Of a service's own account: it signs its requests for access tokens. */
export interface ServiceAccountValue {
  readonly type: 'service_account';
  readonly clientEmail: string;
  /** PEM. */
  readonly privateKey: string;
  readonly privateKeyId?: string;
  /** The user in whose name it acts. */
  readonly subject?: string;
}
/** Of an app that somebody has installed at the provider. */
export interface AppValue {
  readonly type: 'app';
  readonly appId: string;
  readonly installationId: string;
  /** PEM. */
  readonly privateKey: string;
}
export type SecretValue = TokenValue | BasicValue | OauthRefreshValue | ServiceAccountValue | AppValue;

/** A text, or an object as the provider or the caller writes it. */
export type GivenValue = string | { readonly [field: string]: unknown };

/**
 * What a caller gave as a value. Fields are named as on the wire. A text stands for itself as a token, is
 * `username:password` for basic, and the JSON of an object for all others. Of a service account the provider's key
 * file is taken as it is: what it names beside the key is left out, places to send requests to above all.
 *
 * @throws DomainError invalid_request, which names the field and never repeats what was given
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

/** The first colon ends the user name, which holds none (RFC 7617). */
const pair = (text: string): GivenValue => {
  const end = text.indexOf(':');
  if (end < 0) throw wrong('value must be username:password, or an object with both');
  return { username: text.slice(0, end), password: text.slice(end + 1) };
};

/** @param known the only fields there may be; null: others are left out */
const fields = (given: GivenValue, known: readonly string[] | null) => {
  const object = typeof given === 'string' ? parsed(given) : given;
  const unknown = Object.keys(object).find((name) => known !== null && !known.includes(name));
  if (unknown !== undefined) throw wrong(`value takes ${known?.join(', ')}, and nothing else`);
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
    // Not as the cause: its message repeats a part of the text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as { readonly [field: string]: unknown };
  throw wrong('value must be an object, or its JSON as a text');
};

const MOST = 10_000;

/** Goes into a header or a form: an end of line in it would be another header. */
const line = (text: string, name: string): string => {
  if (text === '' || text.length > MOST) throw wrong(`${name} must have 1 to ${MOST} characters`);
  if (CONTROL.test(text)) throw wrong(`${name} must not hold control characters or ends of lines`);
  return text;
};
const CONTROL = /\p{Cc}/u;

/** Goes into a header as it is, which holds no other characters (RFC 9110, section 5.5; RFC 6750 has fewer still). */
const bearer = (text: string, name: string): string => {
  if (!VISIBLE.test(line(text, name)))
    throw wrong(`${name} must hold visible ASCII characters alone, as tokens do: was a part of it left out?`);
  return text;
};
const VISIBLE = /^[!-~]+$/;

const PEM = /^-----BEGIN (?:RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/=\n]+-----END (?:RSA )?PRIVATE KEY-----\n?$/;

const pem = (text: string, name: string): string => {
  // As in many an environment variable: the ends of lines are written out.
  const key = text.replaceAll('\\n', '\n').replaceAll('\r\n', '\n').trim();
  if (key.length > MOST || !PEM.test(key))
    throw wrong(`${name} must be an RSA private key in PEM, unencrypted`);
  return `${key}\n`;
};

const wrong = (message: string): DomainError => new DomainError('invalid_request', message);

import { describe, expect, it } from 'vitest';
import { type GivenValue, parseSecretValue } from '../../../domain/secret/value.ts';
import { SECRET_TYPES, type SecretType } from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { refusalOf } from '../../support/decisions.ts';
import { RSA } from '../../support/rsa-key.ts';

const KEY_FILE = {
  type: 'service_account',
  project_id: 'p',
  private_key_id: 'k1',
  private_key: RSA.pkcs8,
  client_email: 'reader@p.example',
  client_id: '1',
  token_uri: 'https://attacker.example/token',
};

describe('the value of a secret', () => {
  it.each<readonly [SecretType, GivenValue, object]>([
    ['token', ' tok-1\n', { token: 'tok-1' }],
    ['token', { token: 'tok-1' }, { token: 'tok-1' }],
    ['basic', 'jo:pass:word ', { username: 'jo', password: 'pass:word ' }],
    ['basic', { username: 'jo', password: ' p' }, { username: 'jo', password: ' p' }],
    [
      'oauth_refresh',
      { client_id: 'c', client_secret: 's', refresh_token: 'r' },
      { clientId: 'c', clientSecret: 's', refreshToken: 'r' },
    ],
    ['oauth_refresh', '{"client_id":"c","refresh_token":"r"}', { clientId: 'c', refreshToken: 'r' }],
    [
      'service_account',
      KEY_FILE,
      { clientEmail: 'reader@p.example', privateKey: RSA.pkcs8, privateKeyId: 'k1' },
    ],
    [
      'service_account',
      JSON.stringify(KEY_FILE),
      { clientEmail: 'reader@p.example', privateKey: RSA.pkcs8, privateKeyId: 'k1' },
    ],
    [
      'service_account',
      { ...KEY_FILE, subject: ' jo@p.example ', private_key: RSA.pkcs8.replaceAll('\n', '\r\n') },
      {
        clientEmail: 'reader@p.example',
        privateKey: RSA.pkcs8,
        privateKeyId: 'k1',
        subject: 'jo@p.example',
      },
    ],
    [
      'oauth_refresh',
      { client_id: ' c ', client_secret: null, refresh_token: 'r' },
      { clientId: 'c', refreshToken: 'r' },
    ],
    ['token', 't'.repeat(10_000), { token: 't'.repeat(10_000) }],
    [
      'app',
      { app_id: 12, installation_id: '34', private_key: RSA.pkcs1.replaceAll('\n', String.raw`\n`) },
      { appId: '12', installationId: '34', privateKey: RSA.pkcs1 },
    ],
  ])('of type %s is read as %j', (type, given, read) => {
    expect(parseSecretValue(type, given)).toStrictEqual({ type, ...read });
  });

  const MARK = 's3cr3t-mark';
  const WRONG: readonly (readonly [SecretType, GivenValue])[] = [
    ['token', '  '],
    ['token', `${MARK}\r\nhost: x`],
    ['token', `${MARK}…`],
    ['token', `${MARK} b`],
    ['token', { token: `${MARK}ö` }],
    ['token', { value: MARK }],
    ['token', { token: [MARK] }],
    ['basic', MARK],
    ['basic', { username: MARK }],
    ['oauth_refresh', MARK],
    ['oauth_refresh', `{"${MARK}`],
    ['oauth_refresh', { client_id: MARK }],
    ['oauth_refresh', { client_id: 'c', refresh_token: MARK, token_url: `https://${MARK}.example` }],
    ['service_account', { client_email: 'a@b.example', private_key: MARK }],
    ['service_account', { client_email: 'a@b.example', private_key: `-----BEGIN PRIVATE KEY-----\n${MARK}` }],
    ['app', { app_id: MARK, installation_id: '3' }],
    ['app', `["${MARK}"]`],
    ['app', 'null'],
    ['app', { app_id: 1.5, installation_id: '3', private_key: RSA.pkcs1 }],
    ['token', MARK + 't'.repeat(10_000 - MARK.length + 1)],
    ['service_account', { client_email: 'a@b.example', private_key: `${MARK}\n${RSA.pkcs8}` }],
    ['service_account', { client_email: 'a@b.example', private_key: `${RSA.pkcs8}${MARK}` }],
  ];
  it.each(WRONG)('that is no %s is refused without a word of it: %j', (type, given) => {
    let refusal: unknown;
    try {
      parseSecretValue(type, given);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DomainError);
    const { code, message, cause } = refusal as DomainError;
    expect([code, cause]).toStrictEqual(['invalid_request', undefined]);
    expect(message).toMatch(/^value/);
    expect(message).not.toContain(MARK);
  });

  it.each<readonly [SecretType, GivenValue, string]>([
    ['token', { token: '' }, 'value.token '],
    ['basic', { username: '', password: 'p' }, 'value.username '],
    ['basic', { username: 'jo', password: '' }, 'value.password '],
    ['app', { app_id: '1', installation_id: '2', private_key: 'no' }, 'value.private_key '],
  ])('is refused by the name of the field: %s %j', (type, given, field) => {
    expect(() => parseSecretValue(type, given)).toThrow(field);
  });

  it('holds a key of 10,000 characters, and none that is longer', () => {
    const [begin, end] = ['-----BEGIN PRIVATE KEY-----\n', '\n-----END PRIVATE KEY-----'];
    const keyOf = (length: number) => begin + 'A'.repeat(length - begin.length - end.length) + end;
    const read = (length: number) => () =>
      parseSecretValue('service_account', { client_email: 'a@b.example', private_key: keyOf(length) });
    expect(refusalOf(read(10_000))).toBeNull();
    expect(refusalOf(read(10_001))).toBe('invalid_request');
  });

  it('is known of every type', () => {
    expect(new Set(WRONG.map(([type]) => type))).toEqual(new Set(SECRET_TYPES));
  });
});

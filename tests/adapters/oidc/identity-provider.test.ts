import { createSecretKey } from 'node:crypto';
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { Agent } from 'undici';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdentityProvider } from '../../../adapters/oidc/identity-provider.ts';
import { isSafeUrl } from '../../../adapters/oidc/issuer-url.ts';
import { type Issuer, newSigningKey, openIssuer } from '../../support/issuer.ts';

const MINUTE_MS = 60_000;
const opened: Issuer[] = [];
const agent = new Agent();
let issuer: Issuer;
/** Difference between the provider's clock and the clock by which tokens are issued. */
let laterMs: number;
const provider = (audience = 'knowledger') =>
  createIdentityProvider({
    issuer: issuer.url,
    audience,
    dispatcher: agent,
    clock: { now: () => Date.now() + laterMs },
  });
beforeEach(async () => {
  issuer = await openIssuer();
  opened.push(issuer);
  laterMs = 0;
});
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await agent.close();
});

const seconds = (from: number): number => Math.floor(Date.now() / 1_000) + from;
const times = (path: string): number => issuer.asked.filter((asked) => asked === path).length;
const refused = (reason: string, message: RegExp) => ({
  name: 'TokenRefused',
  reason,
  message: expect.stringMatching(message),
});

describe('a token of the issuer', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('that is signed by %s tells who signed in', async (alg) => {
    issuer.keys = [await newSigningKey('k', alg)];
    const claims = await provider().verify(await issuer.token());
    expect(claims).toMatchObject({ sub: 'ada', email: 'ada@example.com', groups: ['editors'] });
  });

  it('may be for several, have the type of an access token, and come from a clock that is a bit ahead', async () => {
    const token = await issuer.token({ aud: ['other', 'knowledger'], nbf: seconds(20) }, undefined, {
      typ: 'at+jwt',
    });
    expect(await provider().verify(token)).toMatchObject({ sub: 'ada' });
  });

  it.each([
    ['is for somebody else', { aud: 'other' }, 'invalid_token', /not for knowledger/],
    ['is for nobody', { aud: undefined }, 'invalid_token', /not for knowledger/],
    ['has expired', { exp: seconds(-31) }, 'expired_token', /has expired: sign in again/],
    ['never expires', { exp: undefined }, 'invalid_token', /"exp"/],
    ['is not valid yet', { nbf: seconds(60) }, 'invalid_token', /not valid yet/],
    ['is of another issuer', { iss: 'https://evil.example' }, 'invalid_token', /another issuer/],
    ['names nobody', { sub: undefined }, 'invalid_token', /"sub"/],
    ['has an empty subject', { sub: '' }, 'invalid_token', /"sub"/],
  ])('that %s is refused', async (_, claims, reason, message) => {
    await expect(provider().verify(await issuer.token(claims))).rejects.toMatchObject(
      refused(reason, message),
    );
  });

  it('of another type is refused, such as one that ends a session', async () => {
    const token = await issuer.token({}, undefined, { typ: 'logout+jwt' });
    await expect(provider().verify(token)).rejects.toMatchObject(refused('invalid_token', /this type/));
  });
});

describe('a token that the issuer has not signed', () => {
  it('is refused with another key under the same name', async () => {
    const token = await issuer.token({}, await newSigningKey('first'));
    await expect(provider().verify(token)).rejects.toMatchObject(refused('invalid_token', /signature/));
  });

  it('is refused without a signature', async () => {
    const { url, person } = issuer;
    const token = new UnsecuredJWT(person)
      .setIssuer(url)
      .setAudience('knowledger')
      .setExpirationTime('1h')
      .encode();
    await expect(provider().verify(token)).rejects.toMatchObject(refused('invalid_token', /must be signed/));
  });

  it('is refused when the public key served as a shared secret', async () => {
    const key = await newSigningKey('first', 'RS256');
    issuer.keys = [key];
    const secret = createSecretKey(Buffer.from(await exportSPKI(key.publicKey)));
    const token = await new SignJWT({
      ...issuer.person,
      iss: issuer.url,
      aud: 'knowledger',
      exp: seconds(60),
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(secret);
    await expect(provider().verify(token)).rejects.toMatchObject(refused('invalid_token', /must be signed/));
  });

  it('is refused once anything in it was changed', async () => {
    const [head, , signature] = (await issuer.token()).split('.');
    const [, body] = (await issuer.token({ groups: ['admins'] })).split('.');
    const token = [head, body, signature].join('.');
    await expect(provider().verify(token)).rejects.toMatchObject(refused('invalid_token', /signature/));
  });

  it.each(['eyJ', 'eyJhbGciOiJFUzI1NiJ9.e30.', 'eyJhbGciOiJFUzI1NiJ9.W10.x'])(
    'is refused where it is none: %s, and the issuer is not asked',
    async (token) => {
      await expect(provider().verify(token)).rejects.toMatchObject({ reason: 'invalid_token' });
      expect(issuer.asked).toEqual([]);
    },
  );
});

describe('the keys of the issuer', () => {
  it('are read once for many tokens, also for those that come together', async () => {
    const { verify } = provider();
    const token = await issuer.token();
    await Promise.all([verify(token), verify(token), verify(token)]);
    await verify(token);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('may be exchanged: a new one is taken at its first token', async () => {
    const { verify } = provider();
    await verify(await issuer.token());
    issuer.keys = [await newSigningKey('second'), ...issuer.keys];
    laterMs = 11_000;
    expect(await verify(await issuer.token())).toMatchObject({ sub: 'ada' });
    expect(await verify(await issuer.token({}, issuer.keys[1]))).toMatchObject({ sub: 'ada' });
    expect(times('/jwks')).toBe(2);
  });

  it('are not asked for again by each token with a key that nobody knows', async () => {
    const { verify } = provider();
    const forged = await issuer.token({}, await newSigningKey('unknown'));
    const tries = Array.from({ length: 20 }, () => verify(forged));
    for (const one of tries) await expect(one).rejects.toMatchObject(refused('invalid_token', /no key/));
    expect(times('/jwks')).toBe(1);
    laterMs = 11_000;
    await expect(verify(forged)).rejects.toMatchObject(refused('invalid_token', /no key/));
    expect(times('/jwks')).toBe(2);
  });

  it('no longer serve ten minutes after the issuer has withdrawn one', async () => {
    issuer.lifeSeconds = 3_600;
    const { verify } = provider();
    const token = await issuer.token();
    await verify(token);
    issuer.keys = [await newSigningKey('second')];
    laterMs = 9 * MINUTE_MS;
    expect(await verify(token)).toMatchObject({ sub: 'ada' });
    laterMs = 11 * MINUTE_MS;
    await expect(verify(token)).rejects.toMatchObject(refused('invalid_token', /no key/));
  });
});

describe('an issuer that cannot be asked', () => {
  it('is told of as such, asked once in a pause, and then serves again', async () => {
    issuer.isDown = true;
    const { verify, endpoints } = provider();
    const token = await issuer.token();
    const away = { name: 'IdentityProviderUnavailable', message: expect.stringContaining('answers 503') };
    await expect(verify(token)).rejects.toMatchObject(away);
    await expect(verify(token)).rejects.toMatchObject(away);
    await expect(endpoints()).rejects.toMatchObject(away);
    expect(issuer.asked).toHaveLength(1);
    issuer.isDown = false;
    laterMs = 11_000;
    expect(await verify(token)).toMatchObject({ sub: 'ada' });
  });

  it('lets those in whose key is known, whatever tokens with other keys come', async () => {
    const { verify } = provider();
    await verify(await issuer.token());
    issuer.isDown = true;
    laterMs = 11_000;
    const forged = await issuer.token({}, await newSigningKey('unknown'));
    await expect(verify(forged)).rejects.toMatchObject({ name: 'IdentityProviderUnavailable' });
    expect(await verify(await issuer.token())).toMatchObject({ sub: 'ada' });
  });

  it.each([
    [{ issuer: 'https://other.example' }, /another name than OIDC_ISSUER/],
    [{ token_endpoint: 'http://login.example/token' }, /names no token_endpoint with https/],
    [{ jwks_uri: undefined }, /names no jwks_uri/],
  ])('is one that tells %o of itself', async (metadata, message) => {
    issuer.metadata = metadata;
    await expect(provider().endpoints()).rejects.toThrow(message);
  });
});

it('tells where a browser signs in and out', async () => {
  const { url } = issuer;
  const endpoints = { authorization: `${url}/authorize`, token: `${url}/token`, endSession: `${url}/logout` };
  expect(await provider().endpoints()).toEqual(endpoints);
  issuer.metadata = { end_session_endpoint: undefined };
  expect(await provider().endpoints()).toEqual({ ...endpoints, endSession: null });
});

it.each([
  ['https://login.example.com/realms/acme', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080/', true],
  ['http://localhost', true],
  ['http://login.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['https://user@login.example.com', false],
  ['https://login.example.com/#a', false],
  ['ftp://127.0.0.1', false],
  ['login.example.com', false],
])('%s is safe to ask: %s', (url, safe) => {
  expect(isSafeUrl(url)).toBe(safe);
});

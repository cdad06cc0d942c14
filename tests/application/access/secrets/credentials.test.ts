import { secretStream } from '../../../../application/event-sourcing/streams.ts';
import {
  CredentialsUnavailable,
  CredentialsRefused,
  type IssuedToken,
  type TokenEndpoint,
  TokenEndpointUnavailable,
  type TokenGrant,
  TokenRefused,
} from '../../../../application/ports/secrets.ts';
import type { SecretType } from '../../../../domain/secret/decider.ts';
import type { GivenValue } from '../../../../domain/secret/value.ts';
import { callerOf } from '../../../support/conversations.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { type SharedSecrets, openSecrets, slowEndpoint } from '../../../support/secrets.ts';
import { createVerify } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';

const caller = callerOf('acme');

const EXCHANGE = { tokenUrl: 'https://accounts.example/token', scope: 'read' };

const REFRESH = { client_id: 'c', client_secret: 's', refresh_token: 'r0' };

const MINUTE = 60_000;

const assertionIn = (grant: TokenGrant | undefined): string =>
  grant?.type === 'assertion' ? grant.assertion : '';

/** Gives a new refresh token for each, and takes none twice: a second use of one voids them all (RFC 9700, 4.14.2). */
const rotating = (life = 60 * MINUTE) => {
  const asked: string[] = [];
  let valid = 'r0';
  const endpoint: TokenEndpoint = {
    ask: async (_url, grant) => {
      const sent = 'refreshToken' in grant ? grant.refreshToken : '';
      asked.push(sent);
      await new Promise((resolve) => setImmediate(resolve));
      if (sent !== valid) {
        valid = 'none';
        throw new TokenRefused('invalid_grant');
      }
      valid = `r${asked.length}`;
      return { token: `a${asked.length}`, lifeMs: life, refreshToken: valid };
    },
  };
  return { asked, endpoint };
};

describe('the credentials of a secret', () => {
  const never = new AbortController().signal;

  const keep = async (shared: SharedSecrets, secretType: SecretType, value: GivenValue, expiresAt = null) => {
    const request = { name: 'Host', secretType, value, expiresAt };
    const made = await shared.process().operations.create(caller, request, undefined);
    return { tenant: 'acme', secretId: made.record.id };
  };

  it('are as the secret is at each request, and tell when they were used', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'token', 'first');
    const [mine, other] = [shared.process(), shared.process()];
    const credentials = mine.credentials.of(named);
    const before = await credentials.current(never);
    expect(before).toEqual({ type: 'token', token: 'first' });
    expect(await credentials.refused(before, never)).toBe(false);
    await other.operations.change(caller, named.secretId, { value: 'second' });
    expect(await credentials.refused(before, never)).toBe(true);
    expect(await credentials.current(never)).toEqual({ type: 'token', token: 'second' });
    expect(shared.used.get(named.secretId)).toBe(shared.time.now);
  });

  it('are those of a value that is given while the one before is read', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'token', 'first');
    const [mine, other] = [shared.process(), shared.process()];
    const { read } = shared.vault;
    let values = 1;
    vi.spyOn(shared.vault, 'read').mockImplementation(async (...of) => {
      if ((values += 1) <= 4)
        await other.operations.change(caller, named.secretId, { value: `value-${values}` });
      return read(...of);
    });
    expect(await mine.credentials.of(named).current(never)).toEqual({ type: 'token', token: 'value-4' });
  });

  it('are refused where the value is lost', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'token', 'first');
    vi.spyOn(shared.vault, 'read').mockResolvedValue(new Map());
    await expect(shared.process().credentials.of(named).current(never)).rejects.toThrow(
      'is lost: set it again',
    );
  });

  it('are refused, with what to do, once the secret is deleted, expired, or of another tenant', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'basic', 'jo:pass');
    const { credentials, operations } = shared.process();
    const foreign = credentials.of({ ...named, tenant: 'other' });
    await expect(foreign.current(never)).rejects.toThrow(CredentialsRefused);
    const own = credentials.of(named);
    expect(await own.current(never)).toEqual({ type: 'basic', username: 'jo', password: 'pass' });
    await operations.change(caller, named.secretId, { expiresAt: shared.time.now });
    await expect(own.current(never)).rejects.toThrow(/"Host" has expired .*expires_at$/);
    await operations.remove(caller, named.secretId);
    await expect(own.current(never)).rejects.toThrow(/is deleted: name another one/);
  });

  it('are an access token, which all processes share until it is about to end', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { asked, endpoint } = rotating();
    const one = shared.process(endpoint).credentials.of(named, EXCHANGE);
    const first = await one.current(never);
    expect(first).toEqual({ type: 'access_token', token: 'a1', expiresAt: shared.time.now + 60 * MINUTE });
    const two = shared.process(endpoint).credentials.of(named, EXCHANGE);
    expect(await two.current(never)).toEqual(first);
    expect(asked).toEqual(['r0']);
    shared.time.now += 59 * MINUTE;
    expect(await two.current(never)).toMatchObject({ token: 'a2' });
    expect(await one.current(never)).toMatchObject({ token: 'a2' });
    expect(asked).toEqual(['r0', 'r1']);
    const types = (await shared.store.readStream(secretStream(named.secretId))).map(({ type }) => type);
    expect(types).toEqual(['SecretCreated', 'SecretRenewed', 'SecretRenewed']);
  });

  it('are renewed by one of many processes at once, so that no refresh token is sent twice', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { asked, endpoint } = rotating();
    for (const sent of [['r0'], ['r0', 'r1'], ['r0', 'r1', 'r2']]) {
      const racing = Array.from({ length: 8 }, () =>
        shared.process(endpoint).credentials.of(named, EXCHANGE).current(never),
      );
      const tokens = (await Promise.all(racing)).map((one) => 'token' in one && one.token);
      expect(new Set(tokens)).toEqual(new Set([`a${sent.length}`]));
      expect(asked).toEqual(sent);
      shared.time.now += 60 * MINUTE;
    }
  });

  it('are renewed once where the provider refuses them early, and no further', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { asked, endpoint } = rotating();
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    const first = await credentials.current(never);
    expect(await credentials.refused(first, never)).toBe(true);
    const second = await credentials.current(never);
    expect(second).toMatchObject({ token: 'a2' });
    // Of several requests under way with the first.
    expect(await credentials.refused(first, never)).toBe(true);
    expect(await credentials.refused(second, never)).toBe(false);
    expect(asked).toEqual(['r0', 'r1']);
  });

  it('keep a refresh token that was given while the caller went away', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { answer, asked, slow } = slowEndpoint();
    const gone = new AbortController();
    const waiting = shared.process(slow).credentials.of(named, EXCHANGE).current(gone.signal);
    await asked.promise;
    gone.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    const next = shared.process(slow).credentials.of(named, EXCHANGE).current(never);
    answer.resolve({ token: 'a1', lifeMs: null, refreshToken: 'r1' });
    expect(await next).toMatchObject({ token: 'a1' });
    const [, renewed] = await shared.store.readStream(secretStream(named.secretId));
    const kept = await shared.texts.read('acme', named.secretId, renewed?.data['value_id'] as string);
    expect(kept?.value).toMatchObject({ refreshToken: 'r1' });
  });

  it('leave a value alone that a caller gave while it was being renewed', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { operations } = shared.process();
    const endpoint: TokenEndpoint = {
      ask: async () => {
        await operations.change(caller, named.secretId, { value: { ...REFRESH, refresh_token: 'mine' } });
        return { token: 'a1', lifeMs: null, refreshToken: 'r1' };
      },
    };
    await shared.process(endpoint).credentials.of(named, EXCHANGE).current(never);
    const sent: TokenGrant[] = [];
    const next: TokenEndpoint = {
      ask: async (_url, grant) => (sent.push(grant), { token: 'a2', lifeMs: null }),
    };
    await shared.process(next).credentials.of(named, EXCHANGE).current(never);
    expect(sent).toMatchObject([{ refreshToken: 'mine' }]);
    const [owner] = await shared.vault.writtenBetween({ olderMs: 0, youngerMs: MINUTE }, '', 9);
    expect(owner?.ids).toHaveLength(1);
  });

  it('are refused where the provider refuses the exchange, and away where it is away', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const ask = (error: Error) => {
      const endpoint: TokenEndpoint = {
        ask: async () => {
          throw error;
        },
      };
      return shared.process(endpoint).credentials.of(named, EXCHANGE).current(never);
    };
    await expect(ask(new TokenRefused('invalid_grant'))).rejects.toThrow(
      new CredentialsRefused(
        'the provider refused an access token for the secret "Host" (invalid_grant): set another value',
      ),
    );
    await expect(ask(new TokenEndpointUnavailable('it answers 503'))).rejects.toThrow(CredentialsUnavailable);
    await shared
      .process()
      .operations.change(caller, named.secretId, { value: { ...REFRESH, refresh_token: 'n' } });
    const { endpoint } = rotating();
    await expect(shared.process(endpoint).credentials.of(named, EXCHANGE).current(never)).rejects.toThrow(
      CredentialsRefused,
    );
  });

  it('of a service account are asked for with an assertion that its key signed, for this place alone', async () => {
    const shared = openSecrets();
    const value = { client_email: 'svc@p.example', private_key: RSA.pkcs8, private_key_id: 'k1' };
    const named = await keep(shared, 'service_account', value);
    const grants: TokenGrant[] = [];
    const endpoint: TokenEndpoint = {
      ask: async (_url, grant) => (grants.push(grant), { token: `a${grants.length}`, lifeMs: 3_600_000 }),
    };
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    expect(await credentials.current(never)).toMatchObject({ type: 'access_token', token: 'a1' });
    const [head = '', body = '', signature = ''] = assertionIn(grants[0]).split('.');
    const readable = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    const iat = Math.floor(shared.time.now / 1_000);
    expect([readable(head), readable(body)]).toEqual([
      { alg: 'RS256', typ: 'JWT', kid: 'k1' },
      { iss: 'svc@p.example', scope: 'read', aud: EXCHANGE.tokenUrl, iat, exp: iat + 3_600 },
    ]);
    const check = createVerify('sha256').update(`${head}.${body}`);
    expect(check.verify(RSA.public, Buffer.from(signature, 'base64url'))).toBe(true);
    const elsewhere = shared.process(endpoint).credentials.of(named, { ...EXCHANGE, scope: 'write' });
    expect(await elsewhere.current(never)).toMatchObject({ token: 'a2' });
  });

  it('of an app are what it signs with', async () => {
    const shared = openSecrets();
    const value = { app_id: 1, installation_id: 2, private_key: RSA.pkcs1 };
    const named = await keep(shared, 'app', value);
    const credentials = shared.process().credentials.of(named);
    expect(await credentials.current(never)).toEqual({
      type: 'app',
      appId: '1',
      installationId: '2',
      privateKey: RSA.pkcs1,
    });
  });
});

const ACCOUNT = { client_email: 'svc@p.example', private_key: RSA.pkcs8, subject: 'jo@p.example' };

/** Answers these in turn, the last again and again; what it was asked. */
const answering = (...answers: readonly (Partial<IssuedToken> | Error)[]) => {
  const grants: TokenGrant[] = [];
  const endpoint: TokenEndpoint = {
    ask: async (_url, grant) => {
      grants.push(grant);
      const answer = answers[Math.min(grants.length, answers.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return { token: `a${grants.length}`, lifeMs: null, ...answer };
    },
  };
  return { grants, endpoint };
};

describe('a value that is exchanged', () => {
  const never = (): AbortSignal => new AbortController().signal;

  const keep = async (shared: SharedSecrets, secretType: SecretType, value: GivenValue) => {
    const request = { name: 'Host', secretType, value, expiresAt: null };
    const made = await shared.process().operations.create(caller, request, undefined);
    return { tenant: 'acme', secretId: made.record.id };
  };

  it('keeps its refresh token where the provider gives no other', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { grants, endpoint } = answering({});
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    const first = await credentials.current(never());
    // A life that is not told is five minutes, and a token is renewed a minute before it ends.
    expect(first).toMatchObject({ token: 'a1', expiresAt: shared.time.now + 300_000 });
    shared.time.now += 239_999;
    expect(await credentials.current(never())).toEqual(first);
    shared.time.now += 1;
    expect(await credentials.current(never())).toMatchObject({ token: 'a2' });
    expect(grants).toMatchObject([
      { type: 'refresh_token', refreshToken: 'r0', clientId: 'c' },
      { refreshToken: 'r0' },
    ]);
  });

  it('is that of a service account whatever the provider adds to its answer, and asks for its subject', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'service_account', ACCOUNT);
    const { grants, endpoint } = answering({ refreshToken: 'r9' });
    await shared.process(endpoint).credentials.of(named, EXCHANGE).current(never());
    const [body] = grants.flatMap((grant) => ('assertion' in grant ? [grant.assertion.split('.')[1]!] : []));
    expect(JSON.parse(Buffer.from(body!, 'base64url').toString())).toMatchObject({ sub: 'jo@p.example' });
    const [holding] = await shared.vault.writtenBetween({ olderMs: 0, youngerMs: 3_600_000 }, '', 9);
    const kept = await shared.texts.read('acme', named.secretId, holding!.ids[0]!);
    expect(kept?.access?.token).toBe('a1');
    expect(Object.keys(kept!.value)).not.toContain('refreshToken');
  });

  it('outlives a store that is away for a moment, and not one that is away for longer', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { endpoint } = answering({ refreshToken: 'r1' });
    const away = new Error('away');
    const put = vi.spyOn(shared.vault, 'put');
    for (let n = 0; n < 4; n += 1) put.mockRejectedValueOnce(away);
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    expect(await credentials.current(never())).toMatchObject({ token: 'a1' });
    expect(put).toHaveBeenCalledTimes(5);
    shared.time.now += 300_000;
    put.mockClear();
    put.mockRejectedValue(away);
    await expect(credentials.current(never())).rejects.toBe(away);
    expect(put).toHaveBeenCalledTimes(5);
  });
});

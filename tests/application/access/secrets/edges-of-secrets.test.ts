import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import {
  CredentialsAway,
  CredentialsRefused,
  type IssuedToken,
  type TokenEndpoint,
  TokenEndpointAway,
  type TokenGrant,
  TokenRefused,
} from '../../../../application/ports/secrets.ts';
import { idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import type { GivenValue } from '../../../../domain/secret/value.ts';
import type { SecretType } from '../../../../domain/secret/decider.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { callerOf } from '../../../support/conversations.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { openSecrets, type SharedSecrets, slowEndpoint } from '../../../support/secrets.ts';

const caller = callerOf('acme');
const never = (): AbortSignal => new AbortController().signal;
const REQUEST = { name: 'Host', secretType: 'token', value: 'v4lue', expiresAt: null } as const;
const EXCHANGE = { tokenUrl: 'https://accounts.example/token', scope: 'read' };
const REFRESH = { client_id: 'c', client_secret: 's', refresh_token: 'r0' };
const ACCOUNT = { client_email: 'svc@p.example', private_key: RSA.pkcs8, subject: 'jo@p.example' };

const keep = async (shared: SharedSecrets, secretType: SecretType, value: GivenValue) => {
  const request = { name: 'Host', secretType, value, expiresAt: null };
  const made = await shared.process().operations.create(caller, request, undefined);
  return { tenant: 'acme', secretId: made.record.id };
};
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
const textsIn = async ({ vault }: SharedSecrets): Promise<number> =>
  (await vault.writtenBetween({ olderMs: 0, youngerMs: 3_600_000 }, '', 9)).flatMap(({ ids }) => ids).length;

describe('the use of a secret', () => {
  it('is noted every ten seconds at the most, and its value read once', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'token', 'first');
    const noted = vi.spyOn(shared.used, 'set');
    const read = vi.spyOn(shared.vault, 'read');
    shared.time.now = 0;
    const credentials = shared.process().credentials.of(named);
    for (const [now, times] of [
      [0, 1],
      [9_999, 1],
      [10_000, 2],
      [19_999, 2],
      [20_000, 3],
    ] as const) {
      shared.time.now = now;
      await credentials.current(never());
      expect(noted).toHaveBeenCalledTimes(times);
    }
    expect(shared.used.get(named.secretId)).toBe(20_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('that needs an exchange is refused where the provider knows none', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    await expect(shared.process().credentials.of(named).current(never())).rejects.toThrow(
      new CredentialsRefused('this provider takes no secret that is exchanged for access tokens'),
    );
  });

  it('asks nobody for a caller who has gone, and hides nothing that comes to light later', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const gone = new Error('gone');
    const of = (endpoint?: TokenEndpoint) => shared.process(endpoint).credentials.of(named, EXCHANGE);
    await expect(of().current(AbortSignal.abort(gone))).rejects.toBe(gone);
    const { answer, asked, slow } = slowEndpoint();
    const stop = new AbortController();
    const waiting = of(slow).current(stop.signal);
    await asked.promise;
    stop.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    // Nobody waits for it any more: that it fails must end no process.
    answer.reject(new TokenEndpointAway('it answers 503'));
    for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
  });
});

describe('a value that is exchanged', () => {
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

  it.each([
    [
      new TokenRefused('invalid_grant'),
      CredentialsRefused,
      'the provider gives no access token for the secret "Host" (invalid_grant): give it another value',
    ],
    [
      new TokenEndpointAway('it answers 503'),
      CredentialsAway,
      'no access token could be had for the secret "Host": it answers 503',
    ],
    [new TypeError('broken'), TypeError, 'broken'],
  ])('that is answered by %s is told so', async (error, kind, message) => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { endpoint } = answering(error, {});
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    const refused = credentials.current(never());
    await expect(refused).rejects.toThrow(kind);
    await expect(refused).rejects.toThrow(message);
    // Whoever comes next has the turn.
    expect(await credentials.current(never())).toMatchObject({ token: 'a2' });
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

  it('is not tried again where the vault refuses it', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { endpoint } = answering({ refreshToken: 'r1' });
    const put = vi.spyOn(shared.vault, 'put');
    const refusal = new DomainError('not_configured', 'there is no master key');
    put.mockRejectedValue(refusal);
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    await expect(credentials.current(never())).rejects.toBe(refusal);
    expect(put).toHaveBeenCalledTimes(1);
  });

  it('is another one once a caller gave it: its token is not the one that was refused', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { endpoint } = answering({});
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    const first = await credentials.current(never());
    const gone = new Error('gone');
    await expect(credentials.refused(first, AbortSignal.abort(gone))).rejects.toBe(gone);
    const value = { ...REFRESH, refresh_token: 'mine' };
    await shared.process().operations.change(caller, named.secretId, { value });
    expect(await credentials.refused(first, never())).toBe(true);
    expect(await credentials.current(never())).toMatchObject({ token: 'a2' });
  });

  it('of a secret that is deleted meanwhile leaves nothing behind', async () => {
    const shared = openSecrets();
    const named = await keep(shared, 'oauth_refresh', REFRESH);
    const { operations } = shared.process();
    const endpoint: TokenEndpoint = {
      ask: async () => {
        await operations.remove(caller, named.secretId);
        return { token: 'a1', lifeMs: null, refreshToken: 'r1' };
      },
    };
    const credentials = shared.process(endpoint).credentials.of(named, EXCHANGE);
    expect(await credentials.current(never())).toMatchObject({ token: 'a1' });
    expect(await textsIn(shared)).toBe(0);
  });
});

describe('a request for a secret that is repeated', () => {
  it('says that it changed nothing, and brings no value back', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const made = await operations.create(caller, REQUEST, 'key');
    expect(made.changed).toBe(true);
    // A key that was used is found by later versions, too.
    const claim = derivedId(sha256, 'idempotency', 'acme', 'createSecret', 'key');
    expect(await shared.store.readStream(idempotencyStream(claim))).not.toEqual([]);
    await operations.change(caller, made.record.id, { value: 'an0ther' });
    expect(await operations.create(caller, REQUEST, 'key')).toMatchObject({
      record: made.record,
      changed: false,
    });
    expect(await textsIn(shared)).toBe(1);
    const other = await operations.create(caller, REQUEST, 'other');
    await expect(operations.create(caller, { ...REQUEST, value: 'x' }, 'other')).rejects.toMatchObject({
      code: 'idempotency_conflict',
      message: 'this Idempotency-Key was used with another value: send a new key with a new request',
    });
    expect(other.record.id).not.toBe(made.record.id);
  });

  it('and was made and deleted while it was under way brings no key back', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const { create } = shared.vault;
    let first = true;
    vi.spyOn(shared.vault, 'create').mockImplementation(async (...of) => {
      if (first) {
        first = false;
        const { record } = await shared.process().operations.create(caller, REQUEST, 'key');
        await operations.remove(caller, record.id);
      }
      return create(...of);
    });
    await operations.create(caller, REQUEST, 'key');
    expect(await shared.vault.writtenBetween({ olderMs: 0, youngerMs: 3_600_000 }, '', 9)).toEqual([]);
  });
});

import { describe, expect, it, vi } from 'vitest';
import {
  type IssuedToken,
  type TokenEndpoint,
  type TokenGrant,
} from '../../../../application/ports/secrets.ts';
import type { GivenValue } from '../../../../domain/secret/value.ts';
import type { SecretType } from '../../../../domain/secret/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { openSecrets, type SharedSecrets } from '../../../support/secrets.ts';

const caller = callerOf('acme');
const never = (): AbortSignal => new AbortController().signal;
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

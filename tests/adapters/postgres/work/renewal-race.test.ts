import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVault } from '../../../../adapters/postgres/vault/vault.ts';
import { createRenewalLeases, createSecretUsage } from '../../../../adapters/postgres/work/leases.ts';
import { aesGcm, masterKeyOf, rs256 } from '../../../../adapters/system/cipher.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { sleep } from '../../../../adapters/system/timing.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { type TokenEndpoint, TokenRefused } from '../../../../application/ports/secrets.ts';
import { createSecretCredentials } from '../../../../application/access/secrets/credentials.ts';
import { createSecretTexts } from '../../../../application/access/secrets/stored-value.ts';
import { createSecretOperations } from '../../../../application/access/secrets/operations.ts';
import { createSecretUses } from '../../../../application/access/secrets/uses.ts';
import { callerOf } from '../../../support/conversations.ts';
import { openWorld, type World } from '../../../support/world.ts';

const EXCHANGE = { tokenUrl: 'https://accounts.example/token', scope: 'read' };
const HOUR = 3_600_000;
const never = new AbortController().signal;
const masterKey = masterKeyOf(aesGcm.newKey());

let world: World;
let now = 1_790_000_000_000;
beforeAll(async () => {
  world = await openWorld([]);
});
afterAll(() => world.close());

/** What each process has of its own: only the database is shared. */
const process = (endpoint: TokenEndpoint) => {
  const { db, store, codec, ids } = world;
  const execute = createExecute({ store, codec, ids });
  const clock = { now: () => now };
  const texts = createSecretTexts(createVault({ db, cipher: aesGcm, masterKey }));
  const deps = { execute, ids, clock, texts, usage: createSecretUsage(db), signer: rs256 };
  const uses = createSecretUses({ execute, clock });
  const renewals = createRenewalLeases(db);
  return {
    operations: createSecretOperations({ ...deps, hash: sha256, view: null as never, uses }),
    credentials: createSecretCredentials({ ...deps, endpoint, renewals, idle: sleep }),
  };
};

it('processes that share a database send each refresh token once, and all have the newest access token', async () => {
  const sent: string[] = [];
  const endpoint: TokenEndpoint = {
    ask: async (_url, grant) => {
      const token = grant.type === 'refresh_token' ? grant.refreshToken : '';
      if (token !== `r${sent.length}`) throw new TokenRefused('invalid_grant');
      sent.push(token);
      return { token: `a${sent.length}`, lifeMs: HOUR, refreshToken: `r${sent.length}` };
    },
  };
  const value = { client_id: 'c', refresh_token: 'r0' };
  const request = { name: 'Drive', secretType: 'oauth_refresh', value, expiresAt: null } as const;
  const { record } = await process(endpoint).operations.create(callerOf('acme'), request, undefined);
  const named = { tenant: 'acme', secretId: record.id };
  const opened = Array.from({ length: 6 }, () => process(endpoint).credentials.of(named, EXCHANGE));
  for (const round of [1, 2, 3]) {
    const tokens = await Promise.all(opened.map((one) => one.current(never)));
    expect(new Set(tokens.map((one) => 'token' in one && one.token))).toEqual(new Set([`a${round}`]));
    now += HOUR;
  }
  expect(sent).toEqual(['r0', 'r1', 'r2']);
});

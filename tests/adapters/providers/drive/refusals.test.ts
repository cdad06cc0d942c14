import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createTokenEndpoint } from '../../../../adapters/providers/credentials/token-endpoint.ts';
import { createGuardedAgent } from '../../../../adapters/crawler/guarded-connector.ts';
import type { Credential, SecretCredentials } from '../../../../application/ports/secrets.ts';
import { rs256 } from '../../../../adapters/system/cipher.ts';
import { exchangeToken } from '../../../../application/access/secrets/access-token.ts';
import { SERVICE_ACCOUNT } from '../../../support/drive-host/accounts.ts';
import { type DriveHost, refuse } from '../../../support/drive-host/drive-host.ts';
import { driveSourceAt, DRIVE, ROOT } from '../../../support/drive-provider.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { OPENED, never, toldAll } from '../listed.ts';
import { hosted, paths, readAll } from './read-all.ts';

/** Answers the first so many requests by `answer`. */
const first = (host: DriveHost, times: number, answer: (response: ServerResponse) => void): void => {
  let left = times;
  host.hook = (response) => {
    left -= 1;
    if (left < 0) return false;
    answer(response);
    return true;
  };
};

describe('a drive that refuses', () => {
  it.each(['userRateLimitExceeded', 'rateLimitExceeded'])(
    'for a limit by 403 %s is asked again',
    async (reason) => {
      const host = await hosted();
      host.put('file-that-is-there', ROOT, 'one');
      first(host, 2, (response) => refuse(response, 403, reason, 'slower'));
      expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({ 'file-that-is-there': 'one' });
    },
  );

  it('for a limit by 429 is asked again when it says, and the job put off where that is long', async () => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    const source = driveSourceAt(host.url, { now: () => 1_000_000 });
    first(host, 1, (response) =>
      refuse(response, 429, 'rateLimitExceeded', 'slower', { 'retry-after': '7' }),
    );
    expect(toldAll(await readAll(source))).toEqual({ 'file-that-is-there': 'one' });
    first(host, 1, (response) =>
      refuse(response, 429, 'rateLimitExceeded', 'slower', { 'retry-after': '90' }),
    );
    await expect(readAll(source)).rejects.toMatchObject({ name: 'SourceUnavailable', notBefore: 1_090_000 });
    first(host, 99, (response) => refuse(response, 403, 'userRateLimitExceeded', 'slower'));
    await expect(readAll(source)).rejects.toMatchObject({ name: 'SourceUnavailable', notBefore: 1_010_000 });
  });

  it('for the limit of a day puts the job off for a while', async () => {
    const host = await hosted();
    first(host, 1, (response) => refuse(response, 403, 'dailyLimitExceeded', 'tomorrow'));
    const source = driveSourceAt(host.url, { now: () => 1_000_000 });
    await expect(readAll(source)).rejects.toMatchObject({ name: 'SourceUnavailable', notBefore: 1_900_000 });
  });

  it('to answer at all lets go as soon as the job is told to stop', async () => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      host.hook = (response, { query }) => {
        if (query.get('alt') !== 'media') return false;
        response.writeHead(200).write('the first of it');
        response.on('close', resolve);
        setImmediate(() => stop.abort(new Error('told to stop')));
        return true;
      };
    });
    const listing = await driveSourceAt(host.url).open(DRIVE, never, OPENED);
    const { items } = await listing.list(null, never);
    await expect(listing.fetch(items[0]!, stop.signal)).rejects.toThrow('told to stop');
    await closed;
  });

  it.each([500, 502, 503, 504])('by %s is asked again, and is away when it goes on', async (status) => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    first(host, 3, (response) => refuse(response, status, 'backendError', 'later'));
    expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({ 'file-that-is-there': 'one' });
    first(host, 99, (response) => refuse(response, status, 'backendError', 'later'));
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({ name: 'SourceUnavailable' });
  });

  it('by a connection that breaks in the middle of a list is asked again', async () => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    first(host, 2, (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"files":[');
      response.socket?.destroySoon();
    });
    expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({ 'file-that-is-there': 'one' });
  });

  it.each([
    ['accessNotConfigured', 'is not enabled in the Google Cloud project'],
    ['insufficientPermissions', 'needs the scope https://www.googleapis.com/auth/drive.readonly'],
  ])('by 403 %s fails the job at once with what to do', async (reason, message) => {
    const host = await hosted();
    first(host, 99, (response) => refuse(response, 403, reason, 'planted words of the provider'));
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({
      name: 'SourceRefused',
      title: 'Credentials rejected',
      message: expect.stringContaining(message),
    });
    expect(host.asked).toHaveLength(1);
  });

  it('the folder itself fails the job with what to do', async () => {
    const host = await hosted();
    for (const [status, reason] of [
      [404, 'notFound'],
      [403, 'insufficientFilePermissions'],
    ] as const) {
      first(host, 99, (response) => refuse(response, status, reason, 'no'));
      await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({
        title: 'Not found at the provider',
        message: expect.stringContaining('share it with that account as a viewer'),
      });
    }
    host.hook = () => false;
    host.trash(ROOT);
    await expect(readAll(driveSourceAt(host.url))).rejects.toThrow('it is in the trash: restore it');
  });

  it('JSON that is none is asked again, and then is away', async () => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    first(host, 1, (response) => response.end('<html>'));
    expect(toldAll(await readAll(driveSourceAt(host.url)))).toEqual({ 'file-that-is-there': 'one' });
    first(host, 99, (response) => response.end('{"files":7}'));
    await expect(readAll(driveSourceAt(host.url))).rejects.toMatchObject({ name: 'SourceUnavailable' });
  });
});

describe('a drive without a secret', () => {
  it('is not asked, and the job is told what to do', async () => {
    const host = await hosted();
    await expect(readAll(driveSourceAt(host.url), {}, { secretId: null })).rejects.toMatchObject({
      name: 'SourceRefused',
      code: 'secret_missing',
      title: 'Credentials rejected',
      message: expect.stringContaining('service_account, oauth_refresh or token'),
    });
    expect(paths(host)).toEqual([]);
  });
});

describe('a token that the drive refuses', () => {
  const tokens = (given: readonly string[]) => {
    let current = 0;
    const asked: object[] = [];
    const credentials: SecretCredentials = {
      of: (secret, exchange) => {
        asked.push({ ...secret, ...exchange });
        return {
          current: async (): Promise<Credential> => ({
            type: 'access_token',
            token: given[current] ?? 'none',
            expiresAt: Number.MAX_SAFE_INTEGER,
          }),
          refused: async () => {
            current += 1;
            return current < given.length;
          },
        };
      },
    };
    return { credentials, asked };
  };

  it('midway is renewed once, and the job goes on', async () => {
    const host = await hosted();
    for (let i = 0; i < 3; i += 1) host.put(`file-number-${i}`, ROOT, `text ${i}`);
    host.accounts.accepts = new Set(['old']);
    host.hook = () => {
      if (host.asked.length === 5) host.accounts.accepts = new Set(['new']);
      return false;
    };
    const { credentials, asked } = tokens(['old', 'new']);
    const read = await readAll(driveSourceAt(host.url, { credentials }));
    expect(toldAll(read)).toEqual({
      'file-number-0': 'text 0',
      'file-number-1': 'text 1',
      'file-number-2': 'text 2',
    });
    expect(host.asked.filter(({ authorization }) => authorization === 'Bearer old')).toHaveLength(5);
    expect(asked).toEqual([
      {
        tenant: 'acme',
        secretId: DRIVE.secretId,
        tokenUrl: host.tokenUrl,
        scope: 'https://www.googleapis.com/auth/drive.readonly',
      },
    ]);
  });

  it('and whose successor it refuses too fails the job', async () => {
    const host = await hosted();
    host.accounts.accepts = new Set();
    const { credentials } = tokens(['old', 'new', 'newer']);
    await expect(readAll(driveSourceAt(host.url, { credentials }))).rejects.toMatchObject({
      name: 'SourceRefused',
      code: 'credentials_rejected',
    });
    expect(host.asked).toHaveLength(2);
  });
});

describe('the key of a service account', () => {
  it('signs for the token endpoint of the operator, which gives a token that the drive takes', async () => {
    const host = await hosted();
    host.put('file-that-is-there', ROOT, 'one');
    host.accounts.accepts = new Set();
    const endpoint = createTokenEndpoint(createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] }));
    const value = { type: 'service_account', clientEmail: SERVICE_ACCOUNT, privateKey: RSA.pkcs8 } as const;
    const deps = { clock: { now: Date.now }, endpoint, signer: rs256 };
    const credentials: SecretCredentials = {
      of: (_, exchange) => ({
        current: async () => {
          const { token } = await exchangeToken(deps, 'drive', value, exchange!);
          return { type: 'access_token', token, expiresAt: Number.MAX_SAFE_INTEGER };
        },
        refused: async () => false,
      }),
    };
    expect(toldAll(await readAll(driveSourceAt(host.url, { credentials })))).toEqual({
      'file-that-is-there': 'one',
    });
    host.accounts.serviceAccounts.clear();
    const source = driveSourceAt(host.url, { credentials });
    const before = host.asked.length;
    await expect(source.open(DRIVE, never, OPENED)).rejects.toMatchObject({
      name: 'CredentialsRefused',
      message: expect.stringContaining('invalid_grant'),
    });
    expect(host.asked).toHaveLength(before);
  });
});

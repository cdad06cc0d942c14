import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FileStoreUnavailable } from '../../../../application/ports/file-store.ts';
import { parseFilesUrl } from '../../../../adapters/storage/s3/files-url.ts';
import { type FaultyService, KEY_ID, openFaultyService, refuse, SECRET } from './faulty-service.ts';

let service: FaultyService;
afterEach(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const failureOf = async (check: Promise<void>): Promise<FileStoreUnavailable> => {
  const error = await check.then(
    () => null,
    (reason: unknown) => reason as FileStoreUnavailable,
  );
  expect(error).toMatchObject({ name: 'FileStoreUnavailable' });
  return error!;
};

describe('a file store on S3 that cannot be used', () => {
  it.each([
    [404, 'NoSuchBucket', 'missing', 'does not exist', 1],
    [403, 'InvalidAccessKeyId', 'refused', 'the access key is unknown', 1],
    [403, 'SignatureDoesNotMatch', 'refused', 'the secret access key is wrong', 1],
    [400, 'ExpiredToken', 'refused', 'the credentials have expired', 1],
    [403, 'AccessDenied', 'refused', 's3:ListBucket', 1],
    [301, 'PermanentRedirect', 'missing', 'another region', 1],
    [400, 'AuthorizationHeaderMalformed', 'missing', 'another region', 1],
    [500, 'InternalError', 'overloaded', 'responds with 500', 2],
    [503, 'SlowDown', 'overloaded', 'responds with 503', 2],
    [418, 'Teapot', 'failed', 'responds with 418 Teapot', 1],
  ] as const)('says so: %i %s is %s', async (status, code, reason, message, requests) => {
    service = await openFaultyService((_, response) => refuse(response, status, code));
    const error = await failureOf(service.areas().check());
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(error.message).toContain(`bucket "files" at ${service.endpoint}`);
    expect(service.asked).toHaveLength(requests);
    const all = inspect(error, { showHidden: true, depth: 10 });
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(KEY_ID);
  });

  it('is unreachable where nobody listens', async () => {
    service = await openFaultyService(() => {});
    const { endpoint } = service;
    await service.close();
    service = await openFaultyService(() => {});
    const address = parseFilesUrl(`s3://files/p?endpoint=${endpoint}&region=us-east-1`);
    const error = await failureOf(service.areas({ address }).check());
    expect([error.reason, error.message]).toEqual([
      'unreachable',
      `bucket "files" at ${endpoint} cannot be reached: ECONNREFUSED`,
    ]);
  });

  it.each(['HEAD', 'GET'])(
    'is given up for a caller who reads when a %s stays without an answer',
    async (method) => {
      const sha256 = 'ab'.repeat(32);
      service = await openFaultyService((request, response) => {
        if (request.method !== method) response.writeHead(200, { 'content-length': '5' }).end();
      });
      const area = await service.areas({ callerMs: 200 }).area(randomUUID(), 'caller');
      const read = async (): Promise<void> => void (await area.read(sha256));
      const error = await failureOf(read());
      expect([error.reason, error.message]).toEqual([
        'unreachable',
        `bucket "files" at ${service.endpoint} has not responded within 200 ms`,
      ]);
      expect(service.asked.filter((of) => of.method === method)).toHaveLength(1);
    },
  );

  it('is not waited for longer than the caller wants, nor after it was closed', async () => {
    const asked = Promise.withResolvers<void>();
    service = await openFaultyService(() => asked.resolve());
    const areas = service.areas();
    const giveUp = new AbortController();
    const given = failureOf(areas.check(giveUp.signal));
    await asked.promise;
    giveUp.abort();
    expect((await given).reason).toBe('stopped');
    const waiting = failureOf(areas.check());
    await areas.close();
    expect((await waiting).reason).toBe('stopped');
    expect((await failureOf(areas.check())).reason).toBe('stopped');
  });

  it('says that there are no credentials, and where to put them', async () => {
    service = await openFaultyService(() => {});
    for (const name of Object.keys(process.env).filter((key) => key.startsWith('AWS_'))) {
      vi.stubEnv(name, undefined);
    }
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    const { createS3FileAreas } = await import('../../../../adapters/storage/s3/file-areas.ts');
    const { endpoint, folder: temporary } = service;
    const told = async (query: string) => {
      const address = parseFilesUrl(`s3://files/p?endpoint=${endpoint}${query}`);
      const areas = createS3FileAreas({ address, temporary });
      const error = await failureOf(areas.check());
      await areas.close();
      return error;
    };
    const keyless = await told('&region=us-east-1');
    expect([keyless.reason, keyless.message]).toEqual([
      'refused',
      expect.stringContaining('AWS_ACCESS_KEY_ID'),
    ]);
    const placeless = await told('');
    expect([placeless.reason, placeless.message]).toEqual(['missing', expect.stringContaining('AWS_REGION')]);
  });
});

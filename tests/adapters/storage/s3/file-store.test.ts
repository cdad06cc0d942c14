import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { createS3FileAreas } from '../../../../adapters/storage/s3/file-areas.ts';
import { parseFilesUrl } from '../../../../adapters/storage/s3/files-url.ts';
import { openS3Server, S3_KEYS } from '../../../support/s3-server.ts';
import { fileAreasContract } from '../../contracts/file-areas.ts';
import { fileStoreContract } from '../../contracts/file-store.ts';
import { localFileStoreContract } from '../../contracts/local-file-store.ts';

const open = async (url: string, credentials?: typeof S3_KEYS) => {
  const folder = await mkdtemp(join(tmpdir(), 's3-store-'));
  const address = parseFilesUrl(url);
  const areas = createS3FileAreas({
    address,
    temporary: join(folder, 'tmp'),
    ...(credentials !== undefined && { credentials }),
  });
  return { areas, dispose: () => rm(folder, { recursive: true, force: true }) };
};

/** Both contracts, each run under a prefix of its own. */
const contracts = (
  name: string,
  connect: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  credentials?: typeof S3_KEYS,
): void => {
  const openStore = async () => {
    const { url, close } = await connect();
    const { areas, dispose } = await open(url, credentials);
    const id = randomUUID();
    return {
      store: await areas.area(id),
      close: async () => {
        await areas.remove(id);
        await areas.close();
        await dispose();
        await close();
      },
    };
  };
  fileStoreContract(name, openStore);
  localFileStoreContract(name, openStore);
  fileAreasContract(name, async () => {
    const { url, close } = await connect();
    const { areas, dispose } = await open(url, credentials);
    return { areas, close: async () => void (await Promise.all([dispose(), close()])) };
  });
};

contracts(
  'the S3 adapter',
  async () => {
    const server = await openS3Server();
    return { url: server.url('some/prefix'), close: server.close };
  },
  S3_KEYS,
);

// A bucket of a real service, with credentials where the AWS SDK looks for them.
const REAL = process.env['S3_TEST_URL'];
describe.runIf(REAL !== undefined)('the service of S3_TEST_URL', () => {
  contracts('the S3 adapter', async () => {
    const url = new URL(REAL ?? '');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/test-${randomUUID()}`;
    return { url: url.href, close: async () => {} };
  });
});

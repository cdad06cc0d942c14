import { createGuardedAgent } from '../../adapters/crawler/guarded-connector.ts';
import { createDriveSource } from '../../adapters/providers/drive/drive-source.ts';
import type { ListedSource } from '../../application/sources/ingestion/listed/listed-source.ts';
import type { Credential, SecretCredentials } from '../../application/ports/secrets.ts';
import type { CloudDriveParameters } from '../../domain/ingestion-setting/index.ts';

export const ROOT = 'the-root-folder';

export const folderUrlOf = (id: string): string => `https://drive.google.com/drive/folders/${id}`;

export const DRIVE: CloudDriveParameters = {
  kind: 'cloud_drive',
  folderUrl: folderUrlOf(ROOT),
  secretId: '0199d2a0-0000-7000-8000-000000000001',
};

const dispatcher = createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] });

const TOKEN: Credential = { type: 'token', token: 'a-token' };

interface DriveSourceOptions {
  readonly credentials?: SecretCredentials;
  readonly maxBytes?: number;
  readonly now?: () => number;
}

/** The connector's source, asking a host on loopback, with waits that take no time. */
export const driveSourceAt = (
  url: string,
  { credentials = always, maxBytes = 1_000_000, now = Date.now }: DriveSourceOptions = {},
): ListedSource<CloudDriveParameters> =>
  createDriveSource({
    apiUrl: url,
    tokenUrl: `${url}/token`,
    dispatcher,
    credentials,
    maxBytes,
    now,
    sleep: async (_, signal) => signal.throwIfAborted(),
  });

const always: SecretCredentials = { of: () => ({ current: async () => TOKEN, refused: async () => false }) };

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdSource } from '../../adapters/system/identity.ts';
import { ensureKey } from '../../composition/bootstrap.ts';
import { readConfig } from '../../composition/config/config.ts';
import { openContainer } from '../../composition/container.ts';
import { keyDeps } from '../../composition/first-key.ts';
import { openDatabasesBeside } from '../../composition/databases.ts';
import { CORE } from '../../composition/modules/core.ts';
import type { Backing } from './backing.ts';
import { startService } from './service.ts';

/** What a file of journeys is given of the service that it shares with others. */
export interface SharedTenant {
  readonly base: string;
  readonly tenant: string;
  /** Its first key, with every scope. */
  readonly key: string;
  readonly dataDir: string;
  /** The database, unless the service has started one of its own. */
  readonly database: string | null;
}

export interface SharedService {
  /** A tenant that nobody else has. Its key works. */
  readonly newTenant: () => Promise<SharedTenant>;
  readonly close: () => Promise<void>;
}

const ENVIRONMENT = {
  KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
  KNOWLEDGER_LOG_LEVEL: 'warn',
  // The same on every machine: who wants a browser has a service with one.
  KNOWLEDGER_BROWSER: 'off',
  // Nobody is there: what is created on it stays as it is.
  KNOWLEDGER_REPOSITORY_API_URL: 'http://127.0.0.1:9',
  KNOWLEDGER_DRIVE_API_URL: 'http://127.0.0.1:9',
  KNOWLEDGER_DRIVE_TOKEN_URL: 'http://127.0.0.1:9/token',
  KNOWLEDGER_WIKI_API_URL: 'http://127.0.0.1:9',
  KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
  // Jobs that one file holds back must not keep those of another waiting.
  KNOWLEDGER_WORKER_SLOTS: '16',
};

/** The started program, for all files of journeys that neither end nor configure theirs. */
export const startSharedService = async (backing: Backing, program: string): Promise<SharedService> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-journeys-'));
  const service = await startService(ENVIRONMENT, { dataDir, backing, program });
  const beside = { ...ENVIRONMENT, ...backing.env, KNOWLEDGER_DATA_DIR: dataDir };
  const config = readConfig(beside, false);
  const container = await openContainer(config, await openDatabasesBeside(config, () => {}));
  const ids = createIdSource();
  return {
    newTenant: async () => {
      const tenant = ids.newId();
      const { key, position } = await ensureKey(keyDeps(container), tenant, undefined);
      const works = await container.get(CORE).gate.reached(['api_key'], position, 60_000);
      if (key === null || !works) throw new Error(`a tenant has no key that works: ${service.output()}`);
      return { base: service.base, tenant, key, dataDir, database: backing.database };
    },
    close: async () => {
      await container.unbindAllAsync();
      await service.dispose();
    },
  };
};

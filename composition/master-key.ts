import { join } from 'node:path';
import { masterKeyIdOf, tieToMasterKey } from '../adapters/postgres/vault/master-key-check.ts';
import { makeMasterKeyFile, readMasterKeyFile } from '../adapters/system/master-key-file.ts';
import type { MasterKey } from '../application/ports/cipher.ts';
import type { Logger } from '../application/ports/logger.ts';
import { type Config, ConfigError } from './config.ts';
import type { Databases } from './startup.ts';

/** Beside the files and the embedded Postgres: the three belong together, and are backed up together. */
const FILE = 'master.key';

/**
 * The key under which the data keys of conversations are kept: the given one, else the one in the data directory. With
 * the embedded Postgres it is made there at the first start; a database elsewhere outlives this machine and its disk,
 * so none is made for it: null then, and conversations are not to be had until one is set.
 *
 * @throws ConfigError when it is not the key that this database was first used with, or when that one is missing
 */
export const openMasterKey = async (
  { masterKey, dataDir, roles }: Pick<Config, 'masterKey' | 'dataDir' | 'roles'>,
  { events: { pool }, embedded }: Pick<Databases, 'events' | 'embedded'>,
  log: Logger,
): Promise<MasterKey | null> => {
  const path = join(dataDir, FILE);
  const known = await masterKeyIdOf(pool);
  const found = masterKey ?? (await readMasterKeyFile(path).catch(asConfigError));
  if (found !== null) return tied(found, await tieToMasterKey(pool, found.id), masterKey ? null : path);
  if (known !== null && roles.has('api')) throw missing(path);
  if (embedded && known === null) {
    const made = await makeMasterKeyFile(path);
    log.info('made the master key of conversations: back it up, they cannot be read without it', { path });
    return tied(made, await tieToMasterKey(pool, made.id), path);
  }
  if (roles.has('api')) log.warn('no master key: set KNOWLEDGER_MASTER_KEY to have conversations');
  return null;
};

/** @param path where it was read; null: from the environment */
const tied = (key: MasterKey, known: string, path: string | null): MasterKey => {
  if (key.id === known) return key;
  throw new ConfigError(
    `${path === null ? 'KNOWLEDGER_MASTER_KEY' : `the master key in ${path}`} is not the one that this database was ` +
      'first used with, and what is encrypted under that one could not be read: set KNOWLEDGER_MASTER_KEY to the ' +
      'first one, or use a database of its own',
  );
};

const missing = (path: string): ConfigError =>
  new ConfigError(
    `the master key of this database is missing: set KNOWLEDGER_MASTER_KEY to it, or put back ${path}; no other key ` +
      'can read its conversations',
  );

const asConfigError = (error: Error): never => {
  throw new ConfigError(error.message);
};

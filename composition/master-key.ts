import { join } from 'node:path';
import { createKmsKeyWrapping } from '../adapters/storage/kms/key-wrapping.ts';
import {
  isRetired,
  masterKeyIdOf,
  moveToMasterKey,
  bindToMasterKey,
} from '../adapters/postgres/vault/keys.ts';
import { makeKeyFile, readKeyFile, replaceKeyFile } from '../adapters/system/cipher.ts';
import type { MasterKeys, KeyWrapping } from '../application/ports/vault.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/environment.ts';
import { type GivenMasterKey, unwrapped } from './config/given-master-key.ts';
import type { Databases } from './databases.ts';

/** Next to the files and the embedded Postgres: the three belong together and must be backed up together. */
const FILE = 'master.key';

export const masterKeyFiles = (dataDir: string): { readonly path: string; readonly next: string } => ({
  path: join(dataDir, FILE),
  /** The new key of a rotation in progress. */
  next: join(dataDir, `${FILE}.next`),
});

type KeyConfig = Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir' | 'roles'>;
type Found = MasterKeys & { readonly from: string };

/**
 * The master keys that wrap data keys: the given key, else the key in the data directory. With the embedded Postgres
 * the first start makes one there. An external database outlives this machine and its disk, so none is made for it: the
 * result is null, and conversations and secrets are unavailable until a key is set.
 *
 * @throws KeyWrappingFailed when a KMS does not unwrap the key; ConfigError when it is not the key that this database
 * was first used with or last rotated to, or when that key is missing
 */
export const openMasterKeys = async (
  config: KeyConfig,
  { events: { pool }, embedded }: Pick<Databases, 'events' | 'embedded'>,
  log: Logger,
  wrapping: KeyWrapping = createKmsKeyWrapping(),
): Promise<MasterKeys | null> => {
  const { dataDir, roles } = config;
  const { path } = masterKeyFiles(dataDir);
  const known = await masterKeyIdOf(pool);
  const found =
    config.masterKey === null
      ? await inFiles(dataDir, known)
      : await given(config, config.masterKey, wrapping);
  if (found !== null) return tied(pool, found, await bindToMasterKey(pool, found.current.id), log);
  if (known !== null && roles.has('api')) throw missing(path);
  if (embedded && known === null) {
    const current = await makeKeyFile(path);
    log.info('made the master key: back it up, encrypted data cannot be read without it', { path });
    return tied(pool, { current, previous: [], from: path }, await bindToMasterKey(pool, current.id), log);
  }
  if (roles.has('api'))
    log.warn('no master key: set KNOWLEDGER_MASTER_KEY to have conversations and secrets');
  else if (known !== null && roles.has('worker'))
    log.warn('no master key: jobs that need a secret will fail here, until KNOWLEDGER_MASTER_KEY is set');
  return null;
};

const given = async (
  { masterKeyPrevious: others }: KeyConfig,
  inUse: GivenMasterKey,
  wrapping: KeyWrapping,
): Promise<Found> => {
  const current = await unwrapped(inUse, wrapping);
  const previous = await Promise.all(others.map((one) => unwrapped(one, wrapping)));
  return { current, previous, from: 'KNOWLEDGER_MASTER_KEY' };
};

/** Includes the key that a rotation was about to introduce. Completes a rotation that was interrupted at its end. */
const inFiles = async (dataDir: string, known: string | null): Promise<Found | null> => {
  const { path, next } = masterKeyFiles(dataDir);
  const [current, coming] = await Promise.all([path, next].map(readKeyFile)).catch(asConfigError);
  if (coming && coming.id === known) {
    await replaceKeyFile(next, path);
    return { current: coming, previous: [], from: path };
  }
  return current ? { current, previous: coming ? [coming] : [], from: path } : null;
};

const tied = async (
  pool: Databases['events']['pool'],
  { current, previous, from }: Found,
  known: string,
  log: Logger,
): Promise<MasterKeys> => {
  if (current.id !== known && !previous.some(({ id }) => id === known)) throw another(from);
  if (await isRetired(pool, current.id)) {
    throw new ConfigError(`${from} was replaced by a rotation: set the new master key`);
  }
  if (current.id !== known) {
    await moveToMasterKey(pool, known, current.id);
    log.info('the master key has changed: run npm run rotate-master-key, then remove the previous one');
  }
  return { current, previous };
};

const another = (from: string): ConfigError =>
  new ConfigError(
    `${from === 'KNOWLEDGER_MASTER_KEY' ? from : `the master key in ${from}`} is not the one that this database was ` +
      'first used with, and what is encrypted under that one could not be read: set KNOWLEDGER_MASTER_KEY to the ' +
      'first one, or use a database of its own. To replace it, name the first one in KNOWLEDGER_MASTER_KEY_PREVIOUS',
  );

const missing = (path: string): ConfigError =>
  new ConfigError(
    `the master key of this database is missing: set KNOWLEDGER_MASTER_KEY to it, or put back ${path}; no other key ` +
      'can read its conversations and secrets',
  );

const asConfigError = (error: Error): never => {
  throw new ConfigError(error.message);
};

import { MasterKeyMissing, rewrapAll } from '../../adapters/postgres/vault/rewrap.ts';
import { aesGcm, makeKeyFile, readKeyFile, replaceKeyFile } from '../../adapters/system/cipher.ts';
import type { MasterKeys } from '../../application/ports/vault.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { type Databases, openDatabasesBeside } from '../databases.ts';
import { createLog } from '../process.ts';
import { masterKeyFiles, openMasterKeys } from '../master-key.ts';
import { HELP } from './arguments.ts';

/**
 * Rewraps all data keys with another master key. If KNOWLEDGER_MASTER_KEY is set, with that key, beside running
 * services that know both keys. Otherwise with a new key, which replaces the one in the data directory, while no
 * service runs. An interrupted rotation continues when the command runs again, and a service that starts meanwhile can
 * read everything.
 */
export const rotateMasterKey = async (config: Config, args: readonly string[]): Promise<void> => {
  if (args.length > 0) throw new ConfigError(HELP['rotate-master-key']);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  try {
    const keys = await openMasterKeys(config, databases, createLog(config));
    if (keys === null) throw new ConfigError('there is no master key to replace');
    const told =
      config.masterKey === null ? await inFiles(config, databases, keys) : await toGiven(databases, keys);
    console.log(told);
  } finally {
    await databases.close();
  }
};

const toGiven = async (databases: Databases, keys: MasterKeys): Promise<string> => {
  const count = await rewrapped(databases, keys);
  if (keys.previous.length === 0)
    return 'all data keys are under KNOWLEDGER_MASTER_KEY. To replace it, set KNOWLEDGER_MASTER_KEY_PREVIOUS to it, and KNOWLEDGER_MASTER_KEY to another one';
  return `${count} data keys were wrapped by KNOWLEDGER_MASTER_KEY, and none is left under another. KNOWLEDGER_MASTER_KEY_PREVIOUS can go; ${OLD}`;
};

const inFiles = async (
  { dataDir }: Config,
  databases: Databases,
  { current: old }: MasterKeys,
): Promise<string> => {
  const { path, next } = masterKeyFiles(dataDir);
  await mustBeAlone(databases);
  const current = (await readKeyFile(next)) ?? (await makeKeyFile(next));
  const count = await rewrapped(databases, { current, previous: [old] });
  await replaceKeyFile(next, path);
  return `${count} data keys were wrapped by a new master key. It is in ${path}: back it up; ${OLD}`;
};

const OLD = 'keep the old master key as long as backups that were made under it';

const rewrapped = (databases: Databases, keys: MasterKeys): Promise<number> =>
  rewrapAll({ db: databases.events.db, cipher: aesGcm, keys }).catch((error: unknown) => {
    throw error instanceof MasterKeyMissing ? new ConfigError(error.message) : error;
  });

/** A running service knows only the old key and would go on writing with it. */
const mustBeAlone = async ({ events: { pool } }: Databases): Promise<void> => {
  const { rowCount } = await pool.query(`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'knowledger-views'`);
  if (rowCount === 0) return;
  throw new ConfigError(
    'a service is running: stop it first. To rotate beside running services, set KNOWLEDGER_MASTER_KEY',
  );
};

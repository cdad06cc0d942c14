import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../composition/config.ts';
import { openDatabases } from '../../composition/startup.ts';

/** A data directory with an embedded Postgres that has all tables and has been stopped: the first start is over. */
export const prepareData = async (): Promise<{
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-prepared-'));
  const databases = await openDatabases(readConfig({ KNOWLEDGER_DATA_DIR: dataDir }, false), () => {});
  await databases.close();
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
};

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vaultMigrations } from '../../adapters/postgres/vault/migration.ts';
import { aesGcm, masterKeyOf } from '../../adapters/system/cipher.ts';
import { makeMasterKeyFile } from '../../adapters/system/master-key-file.ts';
import type { MasterKey } from '../../application/ports/cipher.ts';
import { ConfigError } from '../../composition/config.ts';
import type { SqlDatabase } from '../../adapters/postgres/sql.ts';
import { openMasterKey } from '../../composition/master-key.ts';
import { ROLES, type RoleName } from '../../composition/roles.ts';
import { freshDatabase } from '../support/postgres.ts';
import { silent } from '../support/world.ts';

let database: SqlDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await freshDatabase(vaultMigrations);
  dataDir = await mkdtemp(join(tmpdir(), 'master-key-'));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (embedded: boolean, masterKey: MasterKey | null = null, roles: readonly RoleName[] = ROLES) =>
  openMasterKey({ masterKey, dataDir, roles: new Set(roles) }, { events: database, embedded }, silent);
const newKey = (): MasterKey => masterKeyOf(aesGcm.newKey());

describe('the master key', () => {
  it('is made on the embedded default, and found again', async () => {
    const made = await start(true);
    expect(made).not.toBeNull();
    expect(await start(true)).toEqual(made);
    expect(await readdir(dataDir)).toEqual(['master.key']);
  });

  it('is not made for a database elsewhere: the service does without conversations', async () => {
    expect(await start(false)).toBeNull();
    expect(await readdir(dataDir)).toEqual([]);
    const given = newKey();
    expect(await start(false, given)).toBe(given);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('in the data directory serves a database elsewhere too, as when the data have moved there', async () => {
    const made = await makeMasterKeyFile(join(dataDir, 'master.key'));
    expect(await start(false)).toEqual(made);
  });

  it('that is given goes before the one in the data directory', async () => {
    await makeMasterKeyFile(join(dataDir, 'master.key'));
    const given = newKey();
    expect(await start(true, given)).toBe(given);
    await expect(start(true)).rejects.toThrow('is not the one that this database was first used with');
  });

  it.each([true, false])('that is another one, or missing, is refused (embedded: %s)', async (embedded) => {
    await start(embedded, newKey());
    await expect(start(embedded, newKey())).rejects.toThrow(ConfigError);
    await expect(start(embedded)).rejects.toThrow('the master key of this database is missing');
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is one for all processes that start at once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => start(true)));
    expect(new Set(made.map((key) => key?.id)).size).toBe(1);
  });

  it('is needed by none that serves no API', async () => {
    await start(false, newKey());
    expect(await start(false, null, ['worker', 'projector', 'scheduler'])).toBeNull();
  });
});

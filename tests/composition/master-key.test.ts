import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rewrapAll } from '../../adapters/postgres/vault/rewrap.ts';
import { vaultMigrations } from '../../adapters/postgres/vault/vault.ts';
import { aesGcm, makeKeyFile, masterKeyOf, readKeyFile } from '../../adapters/system/cipher.ts';
import { type MasterKey, type KeyWrapping, KeyWrappingFailed } from '../../application/ports/vault.ts';

import { ConfigError } from '../../composition/config/environment.ts';
import type { PostgresDatabase } from '../../adapters/postgres/connection.ts';
import { openMasterKeys } from '../../composition/master-key.ts';
import type { GivenMasterKey } from '../../composition/config/given-master-key.ts';
import { ROLES, type RoleName } from '../../composition/config/variables.ts';
import { freshDatabase } from '../support/postgres.ts';
import { silent } from '../support/world.ts';

let database: PostgresDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await freshDatabase(vaultMigrations);
  dataDir = await mkdtemp(join(tmpdir(), 'master-key-'));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const open = (
  embedded: boolean,
  masterKey: MasterKey | null = null,
  roles: readonly RoleName[] = ROLES,
  masterKeyPrevious: readonly MasterKey[] = [],
) =>
  openMasterKeys(
    { masterKey, masterKeyPrevious, dataDir, roles: new Set(roles) },
    { events: database, embedded },
    silent,
  );
/** The key that new data keys are kept under. */
const start = async (...args: Parameters<typeof open>): Promise<MasterKey | null> =>
  (await open(...args))?.current ?? null;
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
    const made = await makeKeyFile(join(dataDir, 'master.key'));
    expect(await start(false)).toEqual(made);
  });

  it('that is given goes before the one in the data directory', async () => {
    await makeKeyFile(join(dataDir, 'master.key'));
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

  it('may be another one where the first is named beside it, until that is retired', async () => {
    const [old, renewed] = [newKey(), newKey()];
    await start(false, old);
    expect(await open(false, old, ROLES, [renewed])).toEqual({ current: old, previous: [renewed] });
    expect(await open(false, renewed, ROLES, [old])).toEqual({ current: renewed, previous: [old] });
    await expect(open(false, old)).rejects.toThrow('name the first one in KNOWLEDGER_MASTER_KEY_PREVIOUS');
    expect((await open(false, old, ROLES, [renewed]))?.current).toBe(old);
    await rewrapAll({ db: database.db, cipher: aesGcm, keys: { current: renewed, previous: [old] } });
    expect(await start(false, renewed)).toBe(renewed);
    await expect(open(false, old, ROLES, [renewed])).rejects.toThrow('was replaced by a rotation');
  });

  it('is the one that a KMS unwraps, also where it takes the place of another, and none while the KMS is away', async () => {
    const [plain, kept] = [newKey(), newKey()];
    const wrapped = { wrapped: Buffer.from('as the KMS wrote it') };
    const of = (unwrap: KeyWrapping['unwrap'], ...keys: readonly GivenMasterKey[]) =>
      openMasterKeys(
        { masterKey: keys[0] ?? null, masterKeyPrevious: keys.slice(1), dataDir, roles: new Set(ROLES) },
        { events: database, embedded: false },
        silent,
        { unwrap, generate: () => Promise.reject(new Error('nobody asked for that')) },
      );
    const there: KeyWrapping['unwrap'] = async (bytes) => {
      expect(bytes).toBe(wrapped.wrapped);
      return kept.bytes;
    };
    await start(false, plain);
    const away = () => Promise.reject(new KeyWrappingFailed('the KMS is away'));
    await expect(of(away, wrapped, plain)).rejects.toThrow('the KMS is away');
    expect(await of(there, wrapped, plain)).toEqual({ current: kept, previous: [plain] });
    await rewrapAll({ db: database.db, cipher: aesGcm, keys: { current: kept, previous: [plain] } });
    expect(await of(there, wrapped)).toEqual({ current: kept, previous: [] });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('of a rotation that was broken off is read too, and takes its place once the rotation was at its end', async () => {
    const [path, next] = [join(dataDir, 'master.key'), join(dataDir, 'master.key.next')];
    const old = (await start(true))!;
    const renewed = await makeKeyFile(next);
    expect(await open(true)).toEqual({ current: old, previous: [renewed] });
    await rewrapAll({ db: database.db, cipher: aesGcm, keys: { current: renewed, previous: [old] } });
    expect(await open(true)).toEqual({ current: renewed, previous: [] });
    expect(await readdir(dataDir)).toEqual(['master.key']);
    expect(await readKeyFile(path)).toEqual(renewed);
  });
});

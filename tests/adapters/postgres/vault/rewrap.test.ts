import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRetired, masterKeyIdOf } from '../../../../adapters/postgres/vault/keys.ts';
import { createVault, vaultMigrations } from '../../../../adapters/postgres/vault/vault.ts';
import { MasterKeyMissing, rewrapAll } from '../../../../adapters/postgres/vault/rewrap.ts';
import { aesGcm, masterKeyOf } from '../../../../adapters/system/cipher.ts';
import type { Cipher, MasterKey } from '../../../../application/ports/vault.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

const newKey = (): MasterKey => masterKeyOf(aesGcm.newKey());
const OWNERS = 25;

let database: FreshDatabase;
let [old, young] = [newKey(), newKey()];
let owners: string[];
beforeEach(async () => {
  database = await freshDatabase(vaultMigrations);
  [old, young] = [newKey(), newKey()];
  owners = Array.from({ length: OWNERS }, () => randomUUID());
  for (const owner of owners) await keep(vaultOf(old), owner);
});
afterEach(() => database.close());

const vaultOf = (masterKey: MasterKey, ...previous: readonly MasterKey[]) =>
  createVault({ db: database.db, cipher: aesGcm, masterKey, previous });
const keep = async (vault: ReturnType<typeof vaultOf>, owner: string): Promise<void> => {
  await vault.create('t', owner);
  await vault.put('t', owner, [{ id: 'm', text: `of ${owner}` }]);
};
const rotate = (cipher: Cipher = aesGcm, batch = 4) =>
  rewrapAll({ db: database.db, cipher, keys: { current: young, previous: [old] }, batch });
const readable = async (vault: ReturnType<typeof vaultOf>): Promise<number> => {
  const read = await Promise.allSettled(owners.map((owner) => vault.read('t', owner, ['m'])));
  return read.filter((one, i) => one.status === 'fulfilled' && one.value?.get('m') === `of ${owners[i]}`)
    .length;
};
const wrappedByYoung = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from vault.key where master_key_id = ${young.id}`.execute(database.db);
  return rows[0]?.n ?? 0;
};

const someoneWaitsForTheTable = async (): Promise<void> => {
  for (;;) {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = 'vault.key'::regclass`.execute(database.db);
    if (rows.length > 0) return;
  }
};

describe('a rotation of the master key', () => {
  it('leaves every text readable by the new key alone', async () => {
    expect(await rotate()).toBe(OWNERS);
    expect(await readable(vaultOf(young))).toBe(OWNERS);
    expect(await readable(vaultOf(old))).toBe(0);
    expect(await masterKeyIdOf(database.pool)).toBe(young.id);
    expect(await rotate()).toBe(0);
  });

  it('goes on where it was broken off, and is read from meanwhile by who knows both keys', async () => {
    let seals = 0;
    const dying: Cipher = {
      ...aesGcm,
      seal: (...args) => {
        seals += 1;
        if (seals > 10) throw new Error('killed');
        return aesGcm.seal(...args);
      },
    };
    await expect(rotate(dying)).rejects.toThrow('killed');
    // Two batches of four were whole; of the third nothing was kept.
    expect(await wrappedByYoung()).toBe(8);
    expect(await readable(vaultOf(old, young))).toBe(OWNERS);
    expect(await readable(vaultOf(young, old))).toBe(OWNERS);
    expect(await readable(vaultOf(old))).toBe(OWNERS - 8);
    expect(await rotate()).toBe(OWNERS - 8);
    expect(await readable(vaultOf(young))).toBe(OWNERS);
  });

  it('ends with what others have wrapped by the old key meanwhile, and lets nobody do so afterwards', async () => {
    const late = randomUUID();
    let rotating: Promise<number> | undefined;
    await database.db.transaction().execute(async (trx) => {
      const vault = createVault({ db: trx, cipher: aesGcm, masterKey: old, previous: [young] });
      await keep(vault, late);
      rotating = rotate();
      await someoneWaitsForTheTable();
    });
    expect(await rotating).toBe(OWNERS + 1);
    owners.push(late);
    expect(await readable(vaultOf(young))).toBe(OWNERS + 1);
    const refused = randomUUID();
    await expect(vaultOf(old, young).create('t', refused)).rejects.toThrow('replaced by a rotation');
    expect(await vaultOf(young).read('t', refused, ['m'])).toBeNull();
  });

  it('does not retire the key in use where it is named among the others too', async () => {
    await rewrapAll({ db: database.db, cipher: aesGcm, keys: { current: young, previous: [old, young] } });
    expect([await isRetired(database.pool, young.id), await isRetired(database.pool, old.id)]).toEqual([
      false,
      true,
    ]);
    await vaultOf(young).create('t', randomUUID());
  });

  it('retires nothing while there is a data key that it cannot open', async () => {
    await keep(vaultOf(newKey()), randomUUID());
    await expect(rotate()).rejects.toThrow(MasterKeyMissing);
    await vaultOf(old).create('t', randomUUID());
    expect(await readable(vaultOf(young, old))).toBe(OWNERS);
  });
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { masterKeyIdOf, bindToMasterKey } from '../../../../adapters/postgres/vault/keys.ts';
import { createVault, keyOf, vaultMigrations } from '../../../../adapters/postgres/vault/vault.ts';
import { aesGcm, masterKeyOf } from '../../../../adapters/system/cipher.ts';
import { DecryptionFailed, KeyDestroyed } from '../../../../application/ports/vault.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';
import { recording } from '../explained.ts';
import { vaultContract } from '../../contracts/vault.ts';

const masterKey = masterKeyOf(aesGcm.newKey());

vaultContract('Postgres', async () => {
  const { db, close } = await freshDatabase(vaultMigrations);
  return { vault: createVault({ db, cipher: aesGcm, masterKey }), close };
});

describe('the vault in Postgres', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase(vaultMigrations);
  });
  afterAll(() => database.close());
  const vaultUnder = (key = masterKey) => createVault({ db: database.db, cipher: aesGcm, masterKey: key });
  const keep = async (...texts: readonly string[]): Promise<string> => {
    const owner = randomUUID();
    await vaultUnder().create('t', owner);
    await vaultUnder().put(
      't',
      owner,
      texts.map((text, i) => ({ id: `m${i}`, text })),
    );
    return owner;
  };

  it('has neither a text nor a data key in clear in its tables', async () => {
    const word = 'zyxquon';
    await keep(`the ${word} of today`, 'another');
    const { rows } = await sql<{ row: string }>`
      select encode(ciphertext, 'escape') as row from vault.body
      union all select encode(wrapped, 'escape') from vault.key`.execute(database.db);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { row } of rows) expect(row).not.toContain(word);
  });

  it('tells of an owner the texts alone that were written in the time that is asked for', async () => {
    const owner = await keep('old', 'young');
    await sql`update vault.body set created_at = now() - interval '8 days' where owner = ${owner} and id = 'm0'`.execute(
      database.db,
    );
    const ages = { olderMs: 0, youngerMs: 7 * 24 * 3_600_000 };
    const held = await vaultUnder().writtenBetween(ages, '', 1_000);
    expect(held.find((holding) => holding.owner === owner)?.ids).toEqual(['m1']);
  });

  const wrapAnew = async (owner: string): Promise<void> => {
    const { rows } = await sql<{ wrapped: Buffer }>`
      select wrapped from vault.key where owner = ${owner}`.execute(database.db);
    const key = aesGcm.open(masterKey.bytes, rows[0]!.wrapped, keyOf('t', owner));
    const wrapped = aesGcm.seal(masterKey.bytes, key, keyOf('t', owner));
    await sql`update vault.key set wrapped = ${wrapped}::bytea where owner = ${owner}`.execute(database.db);
  };
  /** Two processes, of which one has used the data key of an owner. */
  const used = async () => {
    const [one, other, owner] = [vaultUnder(), vaultUnder(), randomUUID()];
    await one.create('t', owner);
    await one.put('t', owner, [{ id: 'a', text: 'first' }]);
    return { one, other, owner, next: [{ id: 'b', text: 'second' }] };
  };

  it('writes under no data key that another process has destroyed since it was used', async () => {
    const { one, other, owner, next } = await used();
    await other.destroy('t', owner);
    await expect(one.put('t', owner, next)).rejects.toThrow(KeyDestroyed);
    await other.create('t', owner);
    await one.put('t', owner, next);
    expect(await other.read('t', owner, ['a', 'b'])).toEqual(new Map([['b', 'second']]));
  });

  it('writes under the data key that another process has made since, and under one that was wrapped anew', async () => {
    const { one, other, owner, next } = await used();
    await other.destroy('t', owner);
    await other.create('t', owner);
    await one.put('t', owner, next);
    await wrapAnew(owner);
    await one.put('t', owner, [{ id: 'c', text: 'third' }]);
    const kept = await vaultUnder().read('t', owner, ['a', 'b', 'c']);
    expect([...kept!.values()].toSorted()).toEqual(['second', 'third']);
  });

  it('writes texts of several owners together, and refuses those alone whose data key is gone', async () => {
    const { db, sent } = recording(database.db);
    const vault = createVault({ db, cipher: aesGcm, masterKey });
    const owners = Array.from({ length: 4 }, () => randomUUID());
    for (const owner of owners) await vault.create('t', owner);
    await vaultUnder().destroy('t', owners[1]!);
    sent.length = 0;
    const put = (owner: string) =>
      vault.put('t', owner, [
        { id: 'z', text: `last of ${owner}` },
        { id: 'a', text: `first of ${owner}` },
      ]);
    const settled = await Promise.allSettled(owners.map(put));
    const statuses = settled.map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: expect.any(KeyDestroyed) });
    // One with texts, and one that looks for the data key that was not there.
    expect(sent).toHaveLength(2);
    for (const owner of owners.toSpliced(1, 1))
      expect(await vaultUnder().read('t', owner, ['a', 'z'])).toEqual(
        new Map([
          ['a', `first of ${owner}`],
          ['z', `last of ${owner}`],
        ]),
      );
  });

  it('notices a text that was changed', async () => {
    const owner = await keep('pay 10');
    await sql`update vault.body set ciphertext = set_byte(ciphertext, length(ciphertext) - 1,
      get_byte(ciphertext, length(ciphertext) - 1) # 1) where owner = ${owner}`.execute(database.db);
    await expect(vaultUnder().read('t', owner, ['m0'])).rejects.toThrow(DecryptionFailed);
  });

  it('notices texts that were swapped, within an owner and between two', async () => {
    const [one, two] = [await keep('a', 'b'), await keep('c')];
    await sql`update vault.body set id = case id when 'm0' then 'm8' else 'm9' end where owner = ${one}`.execute(
      database.db,
    );
    await expect(vaultUnder().read('t', one, ['m8'])).rejects.toThrow(DecryptionFailed);
    await sql`insert into vault.body (owner, id, ciphertext)
      select ${one}, 'm0', ciphertext from vault.body where owner = ${two}`.execute(database.db);
    await expect(vaultUnder().read('t', one, ['m0'])).rejects.toThrow(DecryptionFailed);
  });

  it('notices a data key that was put under another owner, or another tenant', async () => {
    const [one, two] = [await keep('a'), await keep('b')];
    await sql`update vault.key set wrapped = (select wrapped from vault.key where owner = ${two})
      where owner = ${one}`.execute(database.db);
    await expect(vaultUnder().read('t', one, ['m0'])).rejects.toThrow(DecryptionFailed);
    await sql`update vault.key set tenant = 'u' where owner = ${two}`.execute(database.db);
    await expect(vaultUnder().read('u', two, ['m0'])).rejects.toThrow(DecryptionFailed);
  });

  it('gives nothing to another master key, under its own name or a borrowed one', async () => {
    const owner = await keep('a');
    const other = masterKeyOf(aesGcm.newKey());
    await expect(vaultUnder(other).read('t', owner, ['m0'])).rejects.toThrow('not the one in use');
    const borrowed = { ...other, id: masterKey.id };
    await expect(vaultUnder(borrowed).read('t', owner, ['m0'])).rejects.toThrow(DecryptionFailed);
  });

  it('keeps and reads nothing without a master key, and deletes all the same', async () => {
    const owner = await keep('a', 'b');
    const vault = createVault({ db: database.db, cipher: aesGcm, masterKey: null });
    const refusal = { code: 'not_configured' };
    await expect(vault.create('t', owner)).rejects.toMatchObject(refusal);
    await expect(vault.put('t', owner, [])).rejects.toMatchObject(refusal);
    await expect(vault.read('t', owner, ['m0'])).rejects.toMatchObject(refusal);
    await vault.forget('t', owner, ['m0']);
    expect(await vaultUnder().read('t', owner, ['m0', 'm1'])).toEqual(new Map([['m1', 'b']]));
    await vault.destroy('t', owner);
    expect(await vaultUnder().read('t', owner, ['m1'])).toBeNull();
  });

  it('is tied to the first master key, however many come at once', async () => {
    expect(await masterKeyIdOf(database.pool)).toBeNull();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((id) => bindToMasterKey(database.pool, id)));
    expect(new Set(ids).size).toBe(1);
    expect(await bindToMasterKey(database.pool, 'e')).toBe(ids[0]);
    expect(await masterKeyIdOf(database.pool)).toBe(ids[0]);
  });
});

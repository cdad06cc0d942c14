import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { Cipher, MasterKey, Body, Holding, Vault } from '../../../application/ports/vault.ts';
import { makeKey } from './make-key.ts';
import { createRecentKeys, type DataKey } from './recent-keys.ts';
import { destroyed, lostItsKey, mustHave, otherMaster, retired } from './refusals.ts';
import { createTextReader, type Wrapped } from './read-texts.ts';
import { createTextWriter, type SealedText } from './write-texts.ts';

export interface VaultDeps {
  /** Of a database whose commits are on disk before they are acknowledged. */
  readonly db: Sql;
  readonly cipher: Cipher;
  /** Null: texts can be neither kept nor read, but deleted. */
  readonly masterKey: MasterKey | null;
  /** Others that data keys may still be wrapped by. */
  readonly previous?: readonly MasterKey[];
}

/**
 * The vault in tables of Postgres: data keys wrapped by the master key, texts sealed under the data keys. A data key that
 * was used a moment ago is not read again to write under it: the statement that writes sees whether it is the one still.
 */
export const createVault = ({ db, cipher, masterKey, previous = [] }: VaultDeps): Vault => {
  const unwrapped = (tenant: string, owner: string, { wrapped, masterKeyId }: Wrapped): Uint8Array => {
    const wrapper = [mustHave(masterKey), ...previous].find(({ id }) => id === masterKeyId);
    if (wrapper === undefined) throw otherMaster(owner, masterKeyId);
    return cipher.open(wrapper.bytes, wrapped, keyOf(tenant, owner));
  };
  const recent = createRecentKeys();
  const dataKey = async (tenant: string, owner: string): Promise<DataKey | null> => {
    mustHave(masterKey);
    const { rows } = await sql<Wrapped>`
      select wrapped, master_key_id from vault.key where owner = ${owner} and tenant = ${tenant}`.execute(db);
    const [found] = rows;
    if (found === undefined) return null;
    return { key: unwrapped(tenant, owner, found), wrapped: found.wrapped };
  };
  const write = createTextWriter(db);
  const read = createTextReader(db);
  const sealed = (owner: string, bodies: readonly Body[], key: Uint8Array): readonly SealedText[] =>
    bodies.map(({ id, text }) => ({
      id,
      sealed: cipher.seal(key, Buffer.from(text, 'utf8'), bodyOf(owner, id)),
    }));
  /** False: the data key is another by now, or gone, and nothing was kept. */
  const written = (
    tenant: string,
    owner: string,
    bodies: readonly Body[],
    { key, wrapped }: DataKey,
  ): Promise<boolean> =>
    write({ tenant, owner, wrapped, texts: sealed(owner, bodies, key) }).catch((error: unknown) => {
      throw lostItsKey(error) ? destroyed(owner) : error;
    });
  const put: Vault['put'] = async (tenant, owner, bodies) => {
    const last = recent.get(tenant, owner);
    if (last !== undefined && bodies.length > 0 && (await written(tenant, owner, bodies, last))) return;
    recent.drop(tenant, owner);
    // A rotation of the master key may wrap it anew in between.
    for (;;) {
      const found = await dataKey(tenant, owner);
      if (found === null) throw destroyed(owner);
      if (bodies.length > 0 && !(await written(tenant, owner, bodies, found))) continue;
      return recent.put(tenant, owner, found);
    }
  };

  return {
    create: async (tenant, owner, bodies = []) => {
      const { bytes, id: masterKeyId } = mustHave(masterKey);
      const key = cipher.newKey();
      const wrapped = cipher.seal(bytes, key, keyOf(tenant, owner));
      const texts = sealed(owner, bodies, key);
      const outcome = await makeKey(db, { tenant, owner, wrapped, masterKeyId, texts });
      if (outcome === 'retired') throw retired();
      if (outcome === 'made') recent.put(tenant, owner, { key, wrapped });
      else if (bodies.length > 0) await put(tenant, owner, bodies);
    },

    put,

    read: async (tenant, owner, ids) => {
      mustHave(masterKey);
      const found = await read({ tenant, owner, ids });
      if (found === null) return null;
      const key = unwrapped(tenant, owner, found);
      recent.put(tenant, owner, { key, wrapped: found.wrapped });
      const opened = found.texts.map(({ id, sealed: text }) => {
        const bytes = cipher.open(key, text, bodyOf(owner, id));
        return [id, Buffer.from(bytes).toString('utf8')] as const;
      });
      return new Map(opened);
    },

    forget: async (tenant, owner, ids) => {
      await sql`delete from vault.body using vault.key k
        where k.owner = body.owner and k.tenant = ${tenant} and body.owner = ${owner}
          and body.id = any(${ids}::text[])`.execute(db);
    },

    destroy: async (tenant, owner) => {
      recent.drop(tenant, owner);
      // The texts go with their key, by the foreign key; a text that is just being written waits, and is refused.
      await sql`delete from vault.key where owner = ${owner} and tenant = ${tenant}`.execute(db);
    },

    writtenBetween: async ({ olderMs, youngerMs }, after, limit) => {
      const [to, from] = [ago(olderMs), ago(youngerMs)];
      const { rows } = await sql<Holding>`
        select k.tenant, k.owner,
          array(select id from vault.body b
            where b.owner = k.owner and b.created_at between ${from} and ${to} order by id) as ids
        from vault.key k
        where k.owner > ${after} and k.owner in (
          select owner from vault.key where created_at between ${from} and ${to}
          union select owner from vault.body where created_at between ${from} and ${to})
        order by k.owner limit ${limit}`.execute(db);
      return rows;
    },
  };
};

/** By the database's clock, which set the times. */
const ago = (ms: number) => sql`now() - ${ms} * interval '1 millisecond'`;

/** What a data key belongs to. */
export const keyOf = (tenant: string, owner: string): readonly string[] => ['key', tenant, owner];
const bodyOf = (owner: string, id: string): readonly string[] => ['body', owner, id];

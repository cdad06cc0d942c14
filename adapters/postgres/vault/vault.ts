import type { VaultText, Cipher, OwnedTexts, MasterKey, Vault } from '../../../application/ports/vault.ts';
import type { Sql } from '../database-schema.ts';
import type { Migration } from '../migrate.ts';
import {
  type DataKey,
  createRecentKeys,
  keyDestroyed,
  isKeyDestroyed,
  makeKey,
  requireMasterKey,
  unknownMasterKey,
  masterKeyRetired,
} from './keys.ts';
import { type SealedText, type Wrapped, createTextReader, createTextWriter } from './texts.ts';
import { sql } from 'kysely';

export interface VaultDeps {
  /** A database whose commits are durable before they are acknowledged. */
  readonly db: Sql;
  readonly cipher: Cipher;
  /** Null: texts can be deleted, but neither stored nor read. */
  readonly masterKey: MasterKey | null;
  /** Former master keys that may still wrap data keys. */
  readonly previous?: readonly MasterKey[];
}

/**
 * The vault in tables of Postgres: the master key wraps data keys, and data keys seal texts. A recently used
 * data key is not read again before a write: the writing statement checks that it is still the current one.
 */
export const createVault = ({ db, cipher, masterKey, previous = [] }: VaultDeps): Vault => {
  const unwrapped = (tenant: string, owner: string, { wrapped, masterKeyId }: Wrapped): Uint8Array => {
    const wrapper = [requireMasterKey(masterKey), ...previous].find(({ id }) => id === masterKeyId);
    if (wrapper === undefined) throw unknownMasterKey(owner, masterKeyId);
    return cipher.open(wrapper.bytes, wrapped, keyOf(tenant, owner));
  };
  const recent = createRecentKeys();
  const dataKey = async (tenant: string, owner: string): Promise<DataKey | null> => {
    requireMasterKey(masterKey);
    const found = await db
      .selectFrom('vault.key')
      .select(['wrapped', 'masterKeyId'])
      .where('owner', '=', owner)
      .where('tenant', '=', tenant)
      .executeTakeFirst();
    if (found === undefined) return null;
    return { key: unwrapped(tenant, owner, found), wrapped: found.wrapped };
  };
  const write = createTextWriter(db);
  const read = createTextReader(db);
  const sealed = (owner: string, bodies: readonly VaultText[], key: Uint8Array): readonly SealedText[] =>
    bodies.map(({ id, text }) => ({
      id,
      sealed: cipher.seal(key, Buffer.from(text, 'utf8'), bodyOf(owner, id)),
    }));
  /** Returns false if the data key was replaced or destroyed, and nothing was stored. */
  const tryWrite = (
    tenant: string,
    owner: string,
    bodies: readonly VaultText[],
    { key, wrapped }: DataKey,
  ): Promise<boolean> =>
    write({ tenant, owner, wrapped, texts: sealed(owner, bodies, key) }).catch((error: unknown) => {
      throw isKeyDestroyed(error) ? keyDestroyed(owner) : error;
    });
  const put: Vault['put'] = async (tenant, owner, bodies) => {
    const last = recent.get(tenant, owner);
    if (last !== undefined && bodies.length > 0 && (await tryWrite(tenant, owner, bodies, last))) return;
    recent.drop(tenant, owner);
    // A rotation of the master key may wrap it again in between.
    for (;;) {
      const found = await dataKey(tenant, owner);
      if (found === null) throw keyDestroyed(owner);
      if (bodies.length > 0 && !(await tryWrite(tenant, owner, bodies, found))) continue;
      return recent.put(tenant, owner, found);
    }
  };

  return {
    create: async (tenant, owner, bodies = []) => {
      const { bytes, id: masterKeyId } = requireMasterKey(masterKey);
      const key = cipher.newKey();
      const wrapped = cipher.seal(bytes, key, keyOf(tenant, owner));
      const texts = sealed(owner, bodies, key);
      const outcome = await makeKey(db, { tenant, owner, wrapped, masterKeyId, texts });
      if (outcome === 'retired') throw masterKeyRetired();
      if (outcome === 'made') recent.put(tenant, owner, { key, wrapped });
      else if (bodies.length > 0) await put(tenant, owner, bodies);
    },

    put,

    read: async (tenant, owner, ids) => {
      requireMasterKey(masterKey);
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
      // The foreign key deletes the texts with their key; a text that is being written waits, and is
      // rejected.
      await db.deleteFrom('vault.key').where('owner', '=', owner).where('tenant', '=', tenant).execute();
    },

    writtenBetween: async ({ olderMs, youngerMs }, after, limit) => {
      const [to, from] = [ago(olderMs), ago(youngerMs)];
      const { rows } = await sql<OwnedTexts>`
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

/** By the database clock, which set the times. */
const ago = (ms: number) => sql`now() - ${ms} * interval '1 millisecond'`;

/** The associated data of a data key. */
export const keyOf = (tenant: string, owner: string): readonly string[] => ['key', tenant, owner];
const bodyOf = (owner: string, id: string): readonly string[] => ['body', owner, id];

/** Tables of the vault. No event contains their data, so they cannot be rebuilt. */
export const vaultMigrations: readonly Migration[] = [
  {
    id: 'vault-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS vault');
      // At most one row: the id of the master key that wraps the data keys. The key itself is never stored
      // here.
      await execute(`
        CREATE TABLE vault.master_key (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          id text NOT NULL
        )`);
      // A destroyed key leaves a dead row: with these settings the next autovacuum removes it.
      await execute(`
        CREATE TABLE vault.key (
          owner text COLLATE "C" PRIMARY KEY,
          tenant text NOT NULL,
          wrapped bytea NOT NULL,
          master_key_id text NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now()
        ) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)`);
      await execute('CREATE INDEX key_created ON vault.key (created_at)');
      await execute(`
        CREATE TABLE vault.body (
          owner text COLLATE "C" NOT NULL REFERENCES vault.key ON DELETE CASCADE,
          id text COLLATE "C" NOT NULL,
          ciphertext bytea NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (owner, id)
        )`);
      // Encrypted data cannot be compressed.
      await execute('ALTER TABLE vault.body ALTER COLUMN ciphertext SET STORAGE EXTERNAL');
      await execute('CREATE INDEX body_created ON vault.body (created_at)');
    },
  },
  {
    id: 'vault-0002',
    up: async (execute) => {
      // Ids of master keys that wrap no data key any longer. A process that still has one must not use it.
      await execute(`
        CREATE TABLE vault.retired_master_key (
          id text PRIMARY KEY,
          retired_at timestamptz NOT NULL DEFAULT now()
        )`);
      await execute('CREATE INDEX key_master ON vault.key (master_key_id, owner)');
    },
  },
];

import type { Sql } from '../sql.ts';
import { sql } from 'kysely';
import type { Cipher, MasterKey } from '../../../application/ports/cipher.ts';
import { type Holding, KeyDestroyed, type Vault } from '../../../application/ports/vault.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

export interface VaultDeps {
  /** Of a database whose commits are on disk before they are acknowledged. */
  readonly db: Sql;
  readonly cipher: Cipher;
  /** Null: texts can be neither kept nor read, but deleted. */
  readonly masterKey: MasterKey | null;
  /** Others that data keys may still be wrapped by. */
  readonly previous?: readonly MasterKey[];
}

/** The vault in tables of Postgres: data keys wrapped by the master key, texts sealed under the data keys. */
export const createVault = ({ db, cipher, masterKey, previous = [] }: VaultDeps): Vault => {
  const dataKey = async (tenant: string, owner: string): Promise<Uint8Array | null> => {
    const master = mustHave(masterKey);
    const { rows } = await sql<{ wrapped: Buffer; masterKeyId: string }>`
      select wrapped, master_key_id from vault.key where owner = ${owner} and tenant = ${tenant}`.execute(db);
    const [found] = rows;
    if (found === undefined) return null;
    const wrapper = [master, ...previous].find(({ id }) => id === found.masterKeyId);
    if (wrapper === undefined) throw otherMaster(owner, found.masterKeyId);
    return cipher.open(wrapper.bytes, found.wrapped, keyOf(tenant, owner));
  };

  return {
    create: async (tenant, owner) => {
      const master = mustHave(masterKey);
      const wrapped = cipher.seal(master.bytes, cipher.newKey(), keyOf(tenant, owner));
      const { rows } = await sql<{ retired: boolean }>`
        with retired as (select from vault.retired_master_key where id = ${master.id}),
        made as (insert into vault.key (owner, tenant, wrapped, master_key_id)
          select ${owner}, ${tenant}, ${wrapped}::bytea, ${master.id}
          where not exists (select from retired) on conflict do nothing)
        select exists (select from retired) as retired`.execute(db);
      if (rows[0]?.retired === true) throw retired();
    },

    put: async (tenant, owner, bodies) => {
      const key = await dataKey(tenant, owner);
      if (key === null) throw destroyed(owner);
      if (bodies.length === 0) return;
      const rows = bodies.map(({ id, text }) => {
        const sealed = cipher.seal(key, Buffer.from(text, 'utf8'), bodyOf(owner, id));
        return sql`(${owner}, ${id}, ${sealed}::bytea)`;
      });
      await sql`insert into vault.body (owner, id, ciphertext) values ${sql.join(rows)}
        on conflict do nothing`
        .execute(db)
        .catch((error: unknown) => {
          throw lostItsKey(error) ? destroyed(owner) : error;
        });
    },

    read: async (tenant, owner, ids) => {
      const key = await dataKey(tenant, owner);
      if (key === null) return null;
      const { rows } = await sql<{ id: string; ciphertext: Buffer }>`
        select id, ciphertext from vault.body where owner = ${owner} and id = any(${ids}::text[])`.execute(
        db,
      );
      const opened = rows.map(({ id, ciphertext }) => {
        const bytes = cipher.open(key, ciphertext, bodyOf(owner, id));
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
      // The texts go with their key, by the foreign key; a text that is just being written waits, and is refused.
      await sql`delete from vault.key where owner = ${owner} and tenant = ${tenant}`.execute(db);
    },

    writtenBetween: async ({ olderMs, youngerMs }, after, limit) => {
      const [to, from] = [ago(olderMs), ago(youngerMs)];
      const { rows } = await sql<Holding>`
        select k.tenant, k.owner,
          array(select id from vault.body b where b.owner = k.owner and b.created_at <= ${to} order by id) as ids
        from vault.key k
        where k.owner > ${after} and k.owner in (
          select owner from vault.key where created_at between ${from} and ${to}
          union select owner from vault.body where created_at between ${from} and ${to})
        order by k.owner limit ${limit}`.execute(db);
      return rows;
    },
  };
};

const FOREIGN_KEY_VIOLATION = '23503';
const lostItsKey = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === FOREIGN_KEY_VIOLATION;

/** By the database's clock, which set the times. */
const ago = (ms: number) => sql`now() - ${ms} * interval '1 millisecond'`;

/** What a data key belongs to. */
export const keyOf = (tenant: string, owner: string): readonly string[] => ['key', tenant, owner];
const bodyOf = (owner: string, id: string): readonly string[] => ['body', owner, id];

const destroyed = (owner: string): KeyDestroyed => new KeyDestroyed(`${owner} has no data key`);

const retired = (): Error =>
  new Error('the master key of this process was replaced by a rotation: start it again with the new one');

const otherMaster = (owner: string, id: string): Error =>
  new Error(
    `the data key of ${owner} is wrapped by master key ${id}, which is not the one in use: add it to KNOWLEDGER_MASTER_KEY_PREVIOUS`,
  );

const mustHave = (masterKey: MasterKey | null): MasterKey => {
  if (masterKey !== null) return masterKey;
  throw new DomainError(
    'not_configured',
    'conversations and secrets are kept encrypted, and this service has no master key: set KNOWLEDGER_MASTER_KEY',
  );
};

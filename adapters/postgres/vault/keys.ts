import { KeyDestroyed, type MasterKey } from '../../../application/ports/vault.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { type SealedText, packTexts } from './texts.ts';
import { sql } from 'kysely';
import type pg from 'pg';

export interface NewKey {
  readonly tenant: string;
  readonly owner: string;
  readonly wrapped: Uint8Array;
  readonly masterKeyId: string;
  /** Sealed with this key. */
  readonly texts: readonly SealedText[];
}

/**
 * Stores a data key of an owner together with its texts, all or nothing. `there`: the owner already has a
 * key, and nothing changed. `retired`: the master key is retired, and nothing changed.
 */
export const makeKey = async (
  db: Sql,
  { tenant, owner, wrapped, masterKeyId, texts }: NewKey,
): Promise<'made' | 'there' | 'retired'> => {
  const { ids, bytes, ends, sizes } = packTexts(texts);
  const { rows } = await sql<{ outcome: 'made' | 'there' | 'retired' }>`
    with retired as (select from vault.retired_master_key where id = ${masterKeyId}),
    made as (insert into vault.key (owner, tenant, wrapped, master_key_id)
      select ${owner}, ${tenant}, ${wrapped}::bytea, ${masterKeyId}
      where not exists (select from retired) on conflict do nothing returning owner),
    kept as (insert into vault.body (owner, id, ciphertext)
      select made.owner, t.id, substring(${bytes}::bytea from t.ends - t.bytes + 1 for t.bytes)
      from made cross join unnest(${ids}::text[], ${ends}::int[], ${sizes}::int[]) t (id, ends, bytes)
      on conflict do nothing)
    select case when exists (select from retired) then 'retired' when exists (select from made) then 'made'
      else 'there' end as outcome ${PREPARED}`.execute(db);
  return rows[0]!.outcome;
};

/**
 * A data key and its wrapped form in the row: while the row contains the same form, the key belongs to its
 * owner.
 */
export interface DataKey {
  readonly key: Uint8Array;
  readonly wrapped: Uint8Array;
}

/** Data keys that were used recently. */
export interface RecentKeys {
  readonly get: (tenant: string, owner: string) => DataKey | undefined;
  readonly put: (tenant: string, owner: string, found: DataKey) => void;
  readonly drop: (tenant: string, owner: string) => void;
}

/**
 * How long a data key stays cached: a writer writes to the same owner again within seconds. Afterwards the
 * key exists only in the database, and can be destroyed.
 */
const CACHE_MS = 10_000;
const MAX_CACHED = 200;

export const createRecentKeys = (): RecentKeys => {
  /** Oldest first. */
  const keys = new Map<string, DataKey>();
  const nameOf = (tenant: string, owner: string): string => `${tenant} ${owner}`;
  return {
    get: (tenant, owner) => keys.get(nameOf(tenant, owner)),
    put: (tenant, owner, found) => {
      const name = nameOf(tenant, owner);
      keys.delete(name);
      keys.set(name, found);
      for (const eldest of keys.keys()) {
        if (keys.size <= MAX_CACHED) break;
        keys.delete(eldest);
      }
      const expire = (): void => {
        if (keys.get(name) === found) keys.delete(name);
      };
      setTimeout(expire, CACHE_MS).unref();
    },
    drop: (tenant, owner) => void keys.delete(nameOf(tenant, owner)),
  };
};

const FOREIGN_KEY_VIOLATION = '23503';
/** The data key of a text was destroyed while the text was being written. */
export const isKeyDestroyed = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === FOREIGN_KEY_VIOLATION;

export const keyDestroyed = (owner: string): KeyDestroyed => new KeyDestroyed(`${owner} has no data key`);

export const masterKeyRetired = (): Error =>
  new Error('the master key of this process was replaced by a rotation: restart it with the new one');

export const unknownMasterKey = (owner: string, id: string): Error =>
  new Error(
    `the data key of ${owner} is wrapped by master key ${id}, which is not the one in use: add it to KNOWLEDGER_MASTER_KEY_PREVIOUS`,
  );

export const requireMasterKey = (masterKey: MasterKey | null): MasterKey => {
  if (masterKey !== null) return masterKey;
  throw new DomainError(
    'not_configured',
    'conversations and secrets are kept encrypted, and this service has no master key: set KNOWLEDGER_MASTER_KEY',
  );
};

/** Id of the master key that wraps the data keys of this database; null if there was none yet. */
export const masterKeyIdOf = async (pool: Pick<pg.Pool, 'query'>): Promise<string | null> => {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM vault.master_key');
  return rows[0]?.id ?? null;
};

/**
 * Binds the database to a master key, unless it is bound already. Returns the id of the key that it is bound
 * to.
 */
export const bindToMasterKey = async (pool: Pick<pg.Pool, 'query'>, id: string): Promise<string> => {
  await pool.query('INSERT INTO vault.master_key (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  // A separate statement, which sees the row of another process that this one waited for.
  return (await masterKeyIdOf(pool)) ?? id;
};

/** Whether a rotation has left no data key under this master key. */
export const isRetired = async (pool: Pick<pg.Pool, 'query'>, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT FROM vault.retired_master_key WHERE id = $1', [id]);
  return rowCount !== 0;
};

/** Binds the database to another master key, if it is still bound to `from`. */
export const moveToMasterKey = async (
  pool: Pick<pg.Pool, 'query'>,
  from: string,
  id: string,
): Promise<void> => {
  await pool.query('UPDATE vault.master_key SET id = $2 WHERE id = $1', [from, id]);
};

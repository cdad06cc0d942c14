import { sql } from 'kysely';
import type { Cipher, MasterKeys } from '../../../application/ports/vault.ts';
import type { Sql } from '../database-schema.ts';
import { keyOf } from './vault.ts';

export interface RewrapDeps {
  readonly db: Sql;
  readonly cipher: Cipher;
  readonly keys: MasterKeys;
  /** Data keys per transaction. */
  readonly batch?: number;
}

/** The master key of some data keys is not among the known ones; the message contains its id. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
}

const BATCH = 500;

/**
 * Wraps every data key with the current master key and retires the others: from then on no process wraps with
 * them, and they may be discarded. Works in batches, each durable before the next, while other processes read
 * and write. If interrupted, the next call continues. Returns the number of wrapped keys.
 *
 * @throws MasterKeyMissing, before any key is retired
 */
export const rewrapAll = async (deps: RewrapDeps): Promise<number> => {
  let wrapped = 0;
  for (;;) {
    const done = await rewrapBatch(deps);
    wrapped += done;
    if (done === 0 && (await retire(deps))) return wrapped;
  }
};

interface Row {
  readonly owner: string;
  readonly tenant: string;
  readonly wrapped: Buffer;
  readonly masterKeyId: string;
}

/**
 * A data key that is destroyed meanwhile stays destroyed; a concurrent reader gets the old or the new
 * wrapping.
 */
const rewrapBatch = ({ db, cipher, keys, batch = BATCH }: RewrapDeps): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<Row>`
      select owner, tenant, wrapped, master_key_id from vault.key
      where master_key_id <> ${keys.current.id} order by owner limit ${batch}
      for no key update`.execute(trx);
    for (const { owner, tenant, wrapped, masterKeyId } of rows) {
      const wrapper = keys.previous.find(({ id }) => id === masterKeyId);
      if (wrapper === undefined) throw missing(masterKeyId);
      const key = cipher.open(wrapper.bytes, wrapped, keyOf(tenant, owner));
      const anew = cipher.seal(keys.current.bytes, key, keyOf(tenant, owner));
      await sql`update vault.key set wrapped = ${anew}, master_key_id = ${keys.current.id}
        where owner = ${owner}`.execute(trx);
    }
    return rows.length;
  });

/** Returns false if another process has wrapped a key with an old one meanwhile. */
const retire = ({ db, keys: { current, previous } }: RewrapDeps): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await sql`lock table vault.key in share row exclusive mode`.execute(trx);
    const { rows } = await sql`
      select from vault.key where master_key_id <> ${current.id} limit 1`.execute(trx);
    if (rows.length > 0) return false;
    await sql`insert into vault.master_key (id) values (${current.id})
      on conflict (one) do update set id = excluded.id`.execute(trx);
    // During a change of keys, the current key may also be among the previous ones.
    for (const { id } of previous.filter((key) => key.id !== current.id))
      await sql`insert into vault.retired_master_key (id) values (${id}) on conflict do nothing`.execute(trx);
    return true;
  });

const missing = (id: string): MasterKeyMissing =>
  new MasterKeyMissing(
    `data keys are wrapped by master key ${id}, which is not among those given: add it to KNOWLEDGER_MASTER_KEY_PREVIOUS`,
  );

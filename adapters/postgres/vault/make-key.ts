import { sql } from 'kysely';
import { PREPARED } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';
import { cut, type SealedText } from './write-texts.ts';

export interface NewKey {
  readonly tenant: string;
  readonly owner: string;
  readonly wrapped: Uint8Array;
  readonly masterKeyId: string;
  /** Sealed under it. */
  readonly texts: readonly SealedText[];
}

/**
 * Gives an owner a data key and keeps the texts, all or nothing. `there`: it has one, and nothing changed. `retired`: so was
 * the master key, and nothing changed.
 */
export const makeKey = async (
  db: Sql,
  { tenant, owner, wrapped, masterKeyId, texts }: NewKey,
): Promise<'made' | 'there' | 'retired'> => {
  const { ids, bytes, ends, sizes } = cut(texts);
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

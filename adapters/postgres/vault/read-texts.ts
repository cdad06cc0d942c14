import { sql } from 'kysely';
import { createMicroBatch } from '../batching.ts';
import { PREPARED, unnested } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';

/** A data key as it lies in its row. */
export interface Wrapped {
  readonly wrapped: Buffer;
  readonly masterKeyId: string;
}

/** Texts of one owner that are asked for. */
export interface TextsAsked {
  readonly tenant: string;
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Those that are there, as they were asked for, sealed under the data key of their owner. */
export interface TextsFound extends Wrapped {
  readonly texts: readonly { readonly id: string; readonly sealed: Buffer }[];
}

interface Row extends Wrapped {
  readonly nth: number;
  readonly id: string | null;
  readonly ciphertext: Buffer;
}

/**
 * Reads texts of owners; null: the owner has no data key. What is asked for in one turn of the event loop, of several
 * owners, is read by one statement, which looks each up by itself: a plan that was made while there were few would go
 * through all texts.
 */
export const createTextReader = (db: Sql): ((asked: TextsAsked) => Promise<TextsFound | null>) =>
  createMicroBatch({
    inFlight: Infinity,
    send: async (all: readonly TextsAsked[]) => {
      // An owner of whom nothing is asked has a row as well: it tells whether there is a data key.
      const asked = all.flatMap(({ ids, tenant, owner }, nth) =>
        (ids.length === 0 ? [null] : ids).map((id) => ({ nth, owner, tenant, id })),
      );
      const columns = unnested([
        ['int', asked.map(({ nth }) => nth)],
        ['text', asked.map(({ owner }) => owner)],
        ['text', asked.map(({ tenant }) => tenant)],
        ['text', asked.map(({ id }) => id)],
      ]);
      const { rows } = await sql<Row>`
        select a.nth, k.wrapped, k.master_key_id, b.id, b.ciphertext
        from ${columns} a (nth, owner, tenant, id)
        cross join lateral (select * from vault.key k where k.owner = a.owner and k.tenant = a.tenant limit 1) k
        left join lateral (select * from vault.body b where b.owner = k.owner and b.id = a.id limit 1) b on true
        ${PREPARED}`.execute(db);
      const byOwner = Map.groupBy(rows, ({ nth }) => nth);
      return all.map(({ ids }, nth) => foundIn(ids, byOwner.get(nth)));
    },
  });

const foundIn = (ids: readonly string[], rows: readonly Row[] = []): TextsFound | null => {
  const [first] = rows;
  if (first === undefined) return null;
  const byId = new Map(rows.map((row) => [row.id, row.ciphertext]));
  const texts = ids.flatMap((id) => {
    const sealed = byId.get(id);
    return sealed === undefined ? [] : [{ id, sealed }];
  });
  return { wrapped: first.wrapped, masterKeyId: first.masterKeyId, texts };
};

import { sql } from 'kysely';
import { createMicroBatch } from '../batching.ts';
import { PREPARED, unnested } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';

export interface SealedText {
  /** Unique for its owner. */
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** Sealed texts of one owner, and how the data key is wrapped that they were sealed under. */
export interface SealedTexts {
  readonly tenant: string;
  readonly owner: string;
  readonly wrapped: Uint8Array;
  readonly texts: readonly SealedText[];
}

/** Texts as one value that the server cuts: an array of bytes would go as text, twice as long. */
export const cut = (texts: readonly SealedText[]) => {
  const ends: number[] = [];
  for (const { sealed } of texts) ends.push((ends.at(-1) ?? 0) + sealed.length);
  return {
    ids: texts.map(({ id }) => id),
    bytes: Buffer.concat(texts.map(({ sealed }) => sealed)),
    ends,
    sizes: texts.map(({ sealed }) => sealed.length),
  };
};

/**
 * Keeps texts of one owner, all or none, several owners in one statement. False: the data key is another by now, or gone,
 * and nothing was kept.
 *
 * Groups write in the order of owners and ids, so that two of them cannot wait for each other in a circle. Each owner is
 * looked up by itself: a plan that was made while there were few would go through all keys.
 */
export const createTextWriter = (db: Sql): ((texts: SealedTexts) => Promise<boolean>) =>
  createMicroBatch({
    bytesOf: ({ texts }: SealedTexts) => texts.reduce((sum, { sealed }) => sum + sealed.length, 0),
    send: async (given: readonly SealedTexts[]) => {
      const all = given.flatMap(({ texts }, nth) => texts.map((text) => ({ nth, ...text })));
      const { ids, bytes, ends, sizes } = cut(all);
      const wrapped = given.map((one) => Buffer.from(one.wrapped).toString('hex'));
      const owners = unnested([
        ['int', given.map((_, nth) => nth)],
        ['text', given.map(({ owner }) => owner)],
        ['text', given.map(({ tenant }) => tenant)],
        ['text', wrapped],
      ]);
      const places = unnested([
        ['int', all.map(({ nth }) => nth)],
        ['text', ids],
        ['int', ends],
        ['int', sizes],
      ]);
      const { rows } = await sql<{ nth: number }>`
        with known as materialized (
          select g.nth, g.owner
          from ${owners} g (nth, owner, tenant, wrapped)
          cross join lateral (select from vault.key k
            where k.owner = g.owner and k.tenant = g.tenant and k.wrapped = decode(g.wrapped, 'hex') limit 1) k),
        kept as (insert into vault.body (owner, id, ciphertext)
          select known.owner, t.id, substring(${bytes}::bytea from t.ends - t.bytes + 1 for t.bytes)
          from known join ${places} t (nth, id, ends, bytes) on t.nth = known.nth
          order by 1, 2
          on conflict do nothing)
        select nth from known ${PREPARED}`.execute(db);
      const known = new Set(rows.map(({ nth }) => nth));
      return given.map((_, nth) => known.has(nth));
    },
  });

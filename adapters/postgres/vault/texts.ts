import { createMicroBatch } from '../batching.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED, unnested } from '../prepared-statements.ts';
import { sql } from 'kysely';

export interface SealedText {
  /** Unique per owner. */
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** Sealed texts of one owner, and the wrapped data key that sealed them. */
export interface SealedTexts {
  readonly tenant: string;
  readonly owner: string;
  readonly wrapped: Uint8Array;
  readonly texts: readonly SealedText[];
}

/** Texts as one value that the server splits: an array of bytes would be sent as text, twice as long. */
export const packTexts = (texts: readonly SealedText[]) => {
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
 * Stores texts of an owner, all or none; several owners share a statement. Returns false if the data key was
 * replaced or destroyed, and nothing was stored.
 *
 * Batches write in the order of owners and ids, so that two of them cannot deadlock. Each owner is looked up
 * separately: a plan that was made when there were few keys would scan all of them.
 */
export const createTextWriter = (db: Sql): ((texts: SealedTexts) => Promise<boolean>) =>
  createMicroBatch({
    bytesOf: ({ texts }: SealedTexts) => texts.reduce((sum, { sealed }) => sum + sealed.length, 0),
    send: async (given: readonly SealedTexts[]) => {
      const all = given.flatMap(({ texts }, nth) => texts.map((text) => ({ nth, ...text })));
      const { ids, bytes, ends, sizes } = packTexts(all);
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

/** A wrapped data key as its row stores it. */
export interface Wrapped {
  readonly wrapped: Buffer;
  readonly masterKeyId: string;
}

/** A request for texts of one owner. */
export interface RequestedTexts {
  readonly tenant: string;
  readonly owner: string;
  readonly ids: readonly string[];
}

/** The stored texts of a request, in the requested order, sealed with the data key of their owner. */
export interface FoundTexts extends Wrapped {
  readonly texts: readonly { readonly id: string; readonly sealed: Buffer }[];
}

interface Row extends Wrapped {
  readonly nth: number;
  readonly id: string | null;
  readonly ciphertext: Buffer;
}

/**
 * Reads texts of owners; null if the owner has no data key. Requests of one turn of the event loop share a
 * statement. It looks up each text separately: a plan that was made when there were few texts would scan all
 * of them.
 */
export const createTextReader = (db: Sql): ((requests: RequestedTexts) => Promise<FoundTexts | null>) =>
  createMicroBatch({
    maxInFlight: Infinity,
    send: async (all: readonly RequestedTexts[]) => {
      // A request without ids also gets a row, which shows whether there is a data key.
      const requests = all.flatMap(({ ids, tenant, owner }, nth) =>
        (ids.length === 0 ? [null] : ids).map((id) => ({ nth, owner, tenant, id })),
      );
      const columns = unnested([
        ['int', requests.map(({ nth }) => nth)],
        ['text', requests.map(({ owner }) => owner)],
        ['text', requests.map(({ tenant }) => tenant)],
        ['text', requests.map(({ id }) => id)],
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

const foundIn = (ids: readonly string[], rows: readonly Row[] = []): FoundTexts | null => {
  const [first] = rows;
  if (first === undefined) return null;
  const byId = new Map(rows.map((row) => [row.id, row.ciphertext]));
  const texts = ids.flatMap((id) => {
    const sealed = byId.get(id);
    return sealed === undefined ? [] : [{ id, sealed }];
  });
  return { wrapped: first.wrapped, masterKeyId: first.masterKeyId, texts };
};

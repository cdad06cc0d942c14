import type { CatalogScope, ContentRecord, Contents } from '../../../application/ports/catalog.ts';
import { createMicroBatch } from '../batching.ts';
import type { Sql } from '../database-schema.ts';
import { createLruCache } from '../lru-cache.ts';
import { WITH_SOURCE, planOf, recordColumns, seenContent, uuids } from './conditions.ts';
import { sql } from 'kysely';

type Row = Omit<ContentRecord, 'text'> & { readonly no: number; readonly text: string | null };

type Found = ReadonlyMap<string, ContentRecord>;

/** Ids in lower case that one asks for. */
interface Asked {
  readonly scope: CatalogScope;
  readonly ids: readonly string[];
}

/** How much of texts stays in memory. */
const MAX_BYTES = 32 * 1024 ** 2;

/**
 * Contents as `Contents` has them. Texts that were read stay in memory, up to so many bytes, as the same contents rank well
 * again and again. Everything else is read each time, and above all whether the scope sees the content. Keys without a
 * restriction that ask at once share a statement: many searches at once end at the same time.
 *
 * Each is looked up by itself, behind an `offset 0`: where one data source has most contents, the planner takes "not of a
 * hidden data source" to leave one row, and would compare every content of the tenant with every id.
 */
export const createContentsById = (db: Sql): Contents['contentsById'] => {
  const recent = createLruCache(MAX_BYTES, bytesOf);
  const read = async ({ scope, ids }: Asked): Promise<Found> => {
    const known = new Map(ids.map((id) => [id, recent.get(id)]));
    const numbers = ids.map((id) => known.get(id)?.no ?? NO_NUMBER);
    // Lists of many go as one text each: an item of an array costs more here than the server takes to cut it off.
    const { rows } = await sql<Row>`
      select c.no, case when c.no <> w.no then (
          select x.text from read.content_text x where x.content_no = c.no) end as text, ${recordColumns(scope)}
      from unnest(string_to_array(${ids.join()}, ',')::uuid[], string_to_array(${numbers.join()}, ',')::bigint[])
          as w(id, no)
        cross join lateral (
          select c.* from read.content c where c.id = w.id and ${seenContent(scope)} offset 0) c ${WITH_SOURCE}
      ${planOf(scope)}`.execute(db);
    const found = new Map<string, ContentRecord>();
    for (const { no, text: fresh, ...row } of rows) {
      const text = fresh ?? known.get(row.id)?.text;
      if (text === undefined) continue;
      if (fresh !== null) recent.set(row.id, { no, text });
      found.set(row.id, { ...row, text });
    }
    return found;
  };
  const readTogether = createMicroBatch<Asked, Found>({
    send: async (all) => {
      const found = new Map<string, Found>();
      for (const [tenant, [first, ...others]] of Map.groupBy(all, ({ scope }) => scope.tenant))
        if (first !== undefined) {
          const ids = [first, ...others].flatMap((asked) => asked.ids);
          found.set(tenant, await read({ scope: first.scope, ids: [...new Set(ids)] }));
        }
      return all.map(({ scope }) => found.get(scope.tenant) ?? NOTHING);
    },
    bytesOf: ({ ids }) => CONTENT_BYTES * ids.length,
  });
  return async (scope, ids) => {
    const asked = { scope, ids: uuids(ids).map((id) => id.toLowerCase()) };
    const isOpen = scope.only === null && scope.access === null;
    const found = await (isOpen ? readTogether(asked) : read(asked));
    return asked.ids.map((id) => found.get(id)).filter((record) => record !== undefined);
  };
};

const NOTHING: Found = new Map();
/** Of a content that is read, at most, about. */
const CONTENT_BYTES = 4_096;

/** That of no content: they begin with 1. */
const NO_NUMBER = 0;

/**
 * The text of a content, and the number under which it was read. Its id stands for its source and its words; the number
 * changes where anything else changes that it is indexed under.
 */
interface NumberedText {
  readonly no: number;
  readonly text: string;
}

/** A UTF-16 unit takes two bytes at most, and each text some more. */
const bytesOf = ({ text }: NumberedText): number => 300 + 2 * text.length;

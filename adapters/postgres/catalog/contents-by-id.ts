import type { CatalogScope, ContentRecord, Contents } from '../../../application/ports/catalog.ts';
import { createMicroBatch } from '../batching.ts';
import type { Sql } from '../database-schema.ts';
import { createRecentlyUsed } from '../../../application/event-sourcing/recently-used.ts';
import { WITH_SOURCE, planOf, recordColumns, seenContent, uuids } from './conditions.ts';
import { sql } from 'kysely';

type Row = Omit<ContentRecord, 'text'> & { readonly no: number; readonly text: string | null };

type ContentsById = ReadonlyMap<string, ContentRecord>;

/** A request for contents; ids in lower case. */
interface ContentsRequest {
  readonly scope: CatalogScope;
  readonly ids: readonly string[];
}

/** Maximum size of cached texts. */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Implements `contentsById`. Texts are cached up to `MAX_BYTES`, because the same contents rank well again
 * and again. Everything else is read each time, above all whether the scope may see the content. Concurrent
 * requests of unrestricted keys share a statement, because many concurrent searches end at the same time.
 *
 * The `offset 0` makes the planner look up each content separately; for many ids it would read every content
 * of the tenant instead.
 */
export const createContentsById = (db: Sql): Contents['contentsById'] => {
  const cachedTexts = createRecentlyUsed(MAX_BYTES, bytesOf);
  const read = async ({ scope, ids }: ContentsRequest): Promise<ContentsById> => {
    const known = new Map(ids.map((id) => [id, cachedTexts.get(id)]));
    const numbers = ids.map((id) => known.get(id)?.no ?? NO_NUMBER);
    // Long lists go as one text each: formatting an array item here costs more than splitting the text on the
    // server.
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
      if (fresh !== null) cachedTexts.put(row.id, { no, text });
      found.set(row.id, { ...row, text });
    }
    return found;
  };
  const readTogether = createMicroBatch<ContentsRequest, ContentsById>({
    send: async (all) => {
      const found = new Map<string, ContentsById>();
      for (const [tenant, [first, ...others]] of Map.groupBy(all, ({ scope }) => scope.tenant))
        if (first !== undefined) {
          const ids = [first, ...others].flatMap((request) => request.ids);
          found.set(tenant, await read({ scope: first.scope, ids: [...new Set(ids)] }));
        }
      return all.map(({ scope }) => found.get(scope.tenant) ?? NOTHING);
    },
    bytesOf: ({ ids }) => CONTENT_BYTES * ids.length,
  });
  return async (scope, ids) => {
    const request = { scope, ids: uuids(ids).map((id) => id.toLowerCase()) };
    const isOpen = scope.only === null && scope.access === null;
    const found = await (isOpen ? readTogether(request) : read(request));
    return request.ids.map((id) => found.get(id)).filter((record) => record !== undefined);
  };
};

const NOTHING: ContentsById = new Map();
/** Approximate maximum size of a content. */
const CONTENT_BYTES = 4_096;

/** The number of no content: numbers start at 1. */
const NO_NUMBER = 0;

/**
 * The text of a content, and the row number under which it was read. The id identifies its source and its
 * words; the row number changes when any other indexed property changes.
 */
interface NumberedText {
  readonly no: number;
  readonly text: string;
}

/** A UTF-16 unit takes at most two bytes, plus overhead per text. */
const bytesOf = ({ text }: NumberedText): number => 300 + 2 * text.length;

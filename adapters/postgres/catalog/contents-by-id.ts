import { sql } from 'kysely';
import type { Contents, ContentRecord } from '../../../application/ports/contents.ts';
import type { Sql } from '../sql.ts';
import { seenContent, uuids } from './content-condition.ts';
import { planOf, recordColumns, WITH_SOURCE } from './content-rows.ts';
import { createRecentTexts } from './recent-texts.ts';

type Row = Omit<ContentRecord, 'text'> & { readonly no: number; readonly text: string | null };

/**
 * Contents as `Contents` has them. Texts that were read stay in memory, up to so many bytes, as the same contents rank well
 * again and again. Everything else is read each time, and above all whether the scope sees the content.
 */
export const createContentsById = (db: Sql, mostBytes?: number): Contents['contentsById'] => {
  const recent = createRecentTexts(mostBytes);
  return async (scope, ids) => {
    const asked = uuids(ids).map((id) => id.toLowerCase());
    const known = new Map(asked.map((id) => [id, recent.of(id)]));
    const numbers = asked.map((id) => known.get(id)?.no ?? NO_NUMBER);
    // Lists of many go as one text each: an item of an array costs more here than the server takes to cut it off.
    const { rows } = await sql<Row>`
      select c.no, case when c.no <> w.no then (
          select x.text from read.content_text x where x.content_no = c.no) end as text, ${recordColumns(scope)}
      from unnest(string_to_array(${asked.join()}, ',')::uuid[], string_to_array(${numbers.join()}, ',')::bigint[])
          as w(id, no)
        join read.content c on c.id = w.id ${WITH_SOURCE}
      where ${seenContent(scope)} ${planOf(scope)}`.execute(db);
    const found = new Map<string, ContentRecord>();
    for (const { no, text: read, ...row } of rows) {
      const text = read ?? known.get(row.id)?.text;
      if (text === undefined) continue;
      if (read !== null) recent.keep(row.id, { no, text });
      found.set(row.id, { ...row, text });
    }
    return asked.map((id) => found.get(id)).filter((record) => record !== undefined);
  };
};

/** That of no content: they begin with 1. */
const NO_NUMBER = 0;

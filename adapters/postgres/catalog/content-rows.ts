import { type RawBuilder, sql } from 'kysely';
import { type CatalogScope, judgesChunks, type ContentRecord } from '../../../application/ports/catalog.ts';
import { isUuid, seenContent } from './content-condition.ts';
import { PREPARED } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';

/** Hosts of repositories show the lines that an address names; others know no such addresses. */
const URL = sql`case when c.lines is null or c.source_type <> 'repo' then s.url
  else concat(s.url, '#L', c.lines->>'first', '-L', c.lines->>'last') end`;

/** Columns of a ContentRecord but for its text, and where they come from: `c` is `read.content`. */
export const recordColumns = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`c.id, ${URL} as url, s.title, c.timestamp, c.file_type, c.page_number, c.source_type,
  s.id as source_id, ${judgesChunks(scope) ? sql`'{}'::text[]` : sql`s.keywords`} as keywords`;

/** Columns of a ContentRecord. */
export const contentRecord = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`x.text, ${recordColumns(scope)}`;

export const WITH_SOURCE = sql`join read.source s on s.no = c.source_no`;

/** Joins the rest of a content to `c`. */
export const WITH_TEXT = sql`${WITH_SOURCE} join read.content_text x on x.content_no = c.no`;

/** The content, if the scope sees it. */
export const contentById = async (
  db: Sql,
  scope: CatalogScope,
  id: string,
): Promise<ContentRecord | null> => {
  if (!isUuid(id)) return null;
  const { rows } = await sql<ContentRecord>`
    select ${contentRecord(scope)} from read.content c ${WITH_TEXT}
    where ${seenContent(scope)} and c.id = ${id}::uuid ${planOf(scope)}`.execute(db);
  return rows[0] ?? null;
};

/** What gives a statement a shape of its own is planned each time. */
export const planOf = ({ access }: CatalogScope): RawBuilder<unknown> => (access === null ? PREPARED : sql``);

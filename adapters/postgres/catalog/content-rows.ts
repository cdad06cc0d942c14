import { type RawBuilder, sql } from 'kysely';
import { type CatalogScope, judgesChunks } from '../../../application/ports/catalog-scope.ts';
import type { ContentRecord } from '../../../application/ports/contents.ts';
import { isUuid, seenContent, uuids } from './content-condition.ts';
import { KEEP_PLAN } from '../kept-plans.ts';
import type { Sql } from '../sql.ts';

/** Hosts of repositories show the lines that an address names; others know no such addresses. */
const URL = sql`case when c.lines is null or c.source_type <> 'repo' then s.url
  else concat(s.url, '#L', c.lines->>'first', '-L', c.lines->>'last') end`;

/** Columns of a ContentRecord, and where they come from: `c` is `read.content`. */
export const contentRecord = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`c.id, x.text, ${URL} as url, s.title, c.timestamp, c.file_type, c.page_number, c.source_type,
  s.id as source_id, ${judgesChunks(scope) ? sql`'{}'::text[]` : sql`s.keywords`} as keywords`;

/** Joins the rest of a content to `c`. */
export const WITH_TEXT = sql`join read.source s on s.no = c.source_no join read.content_text x on x.content_no = c.no`;

/** The content, if the scope sees it. What a policy asks gives the statement a shape of its own. */
export const contentById = async (
  db: Sql,
  scope: CatalogScope,
  id: string,
): Promise<ContentRecord | null> => {
  if (!isUuid(id)) return null;
  const plan = scope.access === null ? KEEP_PLAN : sql``;
  const found = await contentsWhere(db, scope, sql<boolean>`c.id = ${id}::uuid ${plan}`);
  return found[0] ?? null;
};

/** The contents that the scope sees among these, in the order of `ids`. */
export const contentsById = async (
  db: Sql,
  scope: CatalogScope,
  ids: readonly string[],
): Promise<readonly ContentRecord[]> => {
  const plan = scope.access === null ? KEEP_PLAN : sql``;
  const found = await contentsWhere(db, scope, sql<boolean>`c.id = any(${uuids(ids)}::uuid[]) ${plan}`);
  const byId = new Map(found.map((record) => [record.id, record]));
  return ids.map((id) => byId.get(id.toLowerCase())).filter((record) => record !== undefined);
};

const contentsWhere = async (
  db: Sql,
  scope: CatalogScope,
  condition: RawBuilder<boolean>,
): Promise<readonly ContentRecord[]> => {
  const { rows } = await sql<ContentRecord>`
    select ${contentRecord(scope)} from read.content c ${WITH_TEXT}
    where ${seenContent(scope)} and ${condition}`.execute(db);
  return rows;
};

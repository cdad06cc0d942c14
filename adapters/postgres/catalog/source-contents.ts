import { sql } from 'kysely';
import type { CatalogScope, ContentRecord } from '../../../application/ports/catalog.ts';
import type { Page, PageRequest } from '../../../application/ports/page.ts';
import type { Sql } from '../database-schema.ts';
import { isUuid, seenContent, seenContentsOf, seenSource } from './content-condition.ts';
import { contentRecord, WITH_TEXT } from './content-rows.ts';
import { given, pageOf, placeOf } from './pages.ts';

export const contentsOfSource = async (
  db: Sql,
  scope: CatalogScope,
  sourceId: string,
  page: PageRequest,
): Promise<Page<ContentRecord> | null> => {
  if (!isUuid(sourceId)) return null;
  const { rows: sources } = await sql<{ no: number; contentCount: number }>`
    select s.no, ${seenContentsOf(scope)} as content_count from read.source s
    where s.id = ${sourceId} and s.status <> 'removed' and ${seenSource(scope)}`.execute(db);
  const source = sources[0];
  if (source === undefined) return null;
  const place = await placeOf(
    db,
    page.after,
    (id) => sql<{ ord: number }>`
      select c.ord from read.content c
      where c.source_no = ${source.no} and c.id = ${id} and ${seenContent(scope)}`,
  );
  const after = place === null ? null : sql<boolean>`c.ord > ${place.ord}`;
  const { rows } = await sql<ContentRecord>`
    select ${contentRecord(scope)} from read.content c ${WITH_TEXT}
    where c.source_no = ${source.no} and ${seenContent(scope)} and ${given(after)}
    order by c.ord limit ${page.limit + 1}`.execute(db);
  return pageOf(rows, page, source.contentCount);
};

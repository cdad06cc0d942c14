import type {
  PassagePage,
  PassageRequest,
  CatalogScope,
  ContentFilter,
  ContentQuery,
  ContentRecord,
} from '../../../application/ports/catalog.ts';
import type { Page } from '../../../application/ports/page.ts';
import { storable } from '../../../domain/filter/value.ts';
import type { Sql } from '../database-schema.ts';
import { sourceTombstones } from '../read-your-writes/conditions.ts';
import {
  WITH_TEXT,
  hasTags,
  contentCondition,
  contentRecord,
  inScope,
  isUuid,
  seenContent,
  seenContentsOf,
  seenSource,
  uuids,
} from './conditions.ts';
import type { CountRows } from './count-rows.ts';
import { countOf, orTrue, pageOf, cursorRow } from './pages.ts';
import { type RawBuilder, sql } from 'kysely';

/** The page is cut before the texts are joined. */
export const queryContents = async (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  { filter, sort, page }: ContentQuery,
): Promise<Page<ContentRecord>> => {
  const cursor = await cursorRow(db, page.after, (id) => cursorRowOf(scope, id));
  const where = sql<boolean>`${seenContent(scope)} and ${orTrue(contentCondition(scope, filter))}`;
  const { by, follows } = ORDER[sort];
  const { rows } = await sql<ContentRecord>`
    with page as materialized (
      select c.no from read.content c join read.source s on s.no = c.source_no and s.tenant = ${scope.tenant}
      where ${where} and ${follows(cursor)} order by ${by} limit ${page.limit + 1})
    select ${contentRecord(scope)} from page join read.content c using (no) ${WITH_TEXT} order by ${by}`.execute(
    db,
  );
  return pageOf(rows, page, await total(db, countRows, scope, filter, where));
};

interface CursorRow {
  readonly id: string;
  readonly timestamp: number;
  readonly sourceNo: number;
  readonly titleKey: string;
}

const cursorRowOf = (scope: CatalogScope, id: string) => sql<CursorRow>`
  select c.id, c.timestamp, c.source_no, s.title_key from read.content c join read.source s on s.no = c.source_no
  where c.id = ${id} and ${seenContent(scope)}`;

interface Order {
  readonly by: RawBuilder<unknown>;
  /** Condition for the rows after the cursor. Its first part can start an index scan at any depth. */
  readonly follows: (cursor: CursorRow | null) => RawBuilder<boolean>;
}

const ORDER: { readonly [sort in ContentQuery['sort']]: Order } = {
  timestamp: {
    by: sql`c.timestamp desc, c.source_no desc, c.id desc`,
    follows: (cursor) =>
      orTrue(
        cursor &&
          sql`(c.timestamp, c.source_no, c.id)
            < (${cursor.timestamp}::bigint, ${cursor.sourceNo}::bigint, ${cursor.id}::uuid)`,
      ),
  },
  title: {
    by: sql`s.title_key, c.id`,
    follows: (cursor) =>
      orTrue(
        cursor &&
          sql`s.title_key >= ${cursor.titleKey}::text
            and (s.title_key > ${cursor.titleKey}::text or c.id > ${cursor.id}::uuid)`,
      ),
  },
};

/**
 * Uses counters if they cover the restriction, minus the hidden rows that they include; counts the rows
 * otherwise.
 */
const total = (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  filter: ContentFilter,
  where: RawBuilder<boolean>,
): Promise<number> => {
  const { sourceGroupIds, tags, sourceTypes, fileTypes, ...others } = filter;
  const uncounted = Object.values(others).some((value) => value !== undefined && !isEmptyList(value));
  if (scope.access !== null || uncounted || others.domains !== undefined) {
    return countRows(db, scope.tenant, sql`select count(*) as n from read.content c where ${where}`);
  }
  const counted = (alias: string) => {
    const column = (name: string) => sql.id(alias, name);
    const groups =
      sourceGroupIds && sql<boolean>`${column('data_source_id')} = any(${uuids(sourceGroupIds)}::uuid[])`;
    const tagged = tags && hasTags(scope.tenant, tags, alias);
    const types =
      sourceTypes && sql<boolean>`${column('source_type')} = any(${sourceTypes.map(storable)}::text[])`;
    const files = fileTypes && sql<boolean>`${column('file_type')} = any(${fileTypes.map(storable)}::text[])`;
    const all = [inScope(scope, alias), orTrue(groups), orTrue(tagged), orTrue(types), orTrue(files)];
    return sql.join(all, sql` and `);
  };
  return countOf(
    db,
    sql`select (
      select coalesce(sum(n.contents), 0)::bigint from read.source_count n where ${counted('n')}) - (
      select coalesce(sum(s.content_count), 0)::bigint from read.source s
      where s.no = any(${sourceTombstones(scope.tenant)}) and ${counted('s')}) as n`,
  );
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const contentsOfSource = async (
  db: Sql,
  scope: CatalogScope,
  sourceId: string,
  page: PassageRequest,
): Promise<PassagePage | null> => {
  if (!isUuid(sourceId)) return null;
  const { rows: sources } = await sql<{ no: number; contentCount: number }>`
    select s.no, ${seenContentsOf(scope)} as content_count from read.source s
    where s.id = ${sourceId} and s.status <> 'removed' and ${seenSource(scope)}`.execute(db);
  const source = sources[0];
  if (source === undefined) return null;
  const mine = sql<boolean>`c.source_no = ${source.no} and ${seenContent(scope)}`;
  const ordOf = (id: string) =>
    sql<{ ord: number }>`select c.ord from read.content c where ${mine} and c.id = ${id}`;
  const last = await cursorRow(db, page.after, ordOf);
  const middle = await cursorRow(db, page.around, ordOf);
  const half = Math.floor(page.limit / 2);
  const first = last !== null ? last.ord + 1 : Math.max(0, (middle?.ord ?? 0) - half);
  const { rows } = await sql<ContentRecord>`
    select ${contentRecord(scope)} from read.content c ${WITH_TEXT}
    where ${mine} and c.ord >= ${first} order by c.ord limit ${page.limit + 1}`.execute(db);
  const before =
    first === 0
      ? 0
      : await countOf(db, sql`select count(*) as n from read.content c where ${mine} and c.ord < ${first}`);
  return { ...pageOf(rows, page, source.contentCount), before };
};

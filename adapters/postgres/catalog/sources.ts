import { type RawBuilder, sql } from 'kysely';
import {
  type CatalogScope,
  filtersChunks,
  type SourceListFilter,
  type SourceRecord,
} from '../../../application/ports/catalog.ts';
import type { IndexedVersion } from '../../../application/read-models/source-row.ts';
import type { Page, PageRequest } from '../../../application/ports/page.ts';
import { storable } from '../../../domain/filter/value.ts';
import type { Sql } from '../database-schema.ts';
import { inScope, isUuid, seenContentsOf, seenSource, uuids } from './conditions.ts';
import { sourceTombstones } from '../read-your-writes/conditions.ts';
import type { CountRows } from './count-rows.ts';
import { countOf, orTrue, pageOf, cursorRow } from './pages.ts';

type StoredSource = Pick<
  SourceRecord,
  | 'id'
  | 'sourceGroupId'
  | 'sourceType'
  | 'title'
  | 'url'
  | 'locator'
  | 'status'
  | 'skipReason'
  | 'error'
  | 'contentCount'
  | 'deniedCount'
  | 'contentMissing'
  | 'metadata'
> & { readonly indexed: IndexedVersion | null; readonly lastSeenAt: number };

const recordOf = ({ indexed, lastSeenAt, ...source }: StoredSource): SourceRecord => {
  const whole = (source.deniedCount ?? 0) === 0 ? indexed : null;
  return {
    ...source,
    fileType: indexed?.fileType ?? null,
    language: indexed?.language ?? null,
    mediaType: indexed?.mediaType ?? null,
    size: whole?.rawBytes ?? null,
    sha256: whole?.rawSha256 ?? null,
    lastSeenTime: seconds(lastSeenAt),
    indexedTime: indexed === null ? null : seconds(indexed.indexedAt),
  };
};

const seconds = (ms: number): number => Math.floor(ms / 1000);

const sourceColumns = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`s.id, s.data_source_id as source_group_id, s.source_type, s.title, s.url, s.locator, s.status, s.skip_reason,
  s.error, ${counts(scope)}, s.content_missing, s.indexed, greatest(s.last_seen_at, (
    select p.visited_at from work.crawl_page p
    where p.data_source_id = s.data_source_id and p.url = s.locator and p.outcome in ('indexed', 'unchanged')
  )) as last_seen_at,
  coalesce((select jsonb_agg(jsonb_build_object('key', m.key, 'val', m.val_text, 'type', m.type) order by m.ord)
    from read.source_metadata m where m.source_no = s.no), '[]') as metadata`;

/** A policy that filters chunks hides some of them; the record then contains their number. */
const counts = (scope: CatalogScope): RawBuilder<unknown> => {
  if (!filtersChunks(scope)) return sql`s.content_count`;
  const seen = seenContentsOf(scope);
  return sql`${seen} as content_count, s.content_count - ${seen} as denied_count`;
};

export const getSource = async (db: Sql, scope: CatalogScope, id: string): Promise<SourceRecord | null> => {
  if (!isUuid(id)) return null;
  const { rows } = await sql<StoredSource>`
    select ${sourceColumns(scope)} from read.source s
    where s.id = ${id} and s.status <> 'removed' and ${seenSource(scope)}`.execute(db);
  return rows[0] === undefined ? null : recordOf(rows[0]);
};

/**
 * Ordered by `no`: ids derive from hashes and have no order. The cursor may be a source that was removed
 * meanwhile.
 */
export const listSources = async (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  filter: SourceListFilter,
  page: PageRequest,
): Promise<Page<SourceRecord>> => {
  const cursor = await cursorRow(
    db,
    page.after,
    (id) => sql<{ no: number }>`select s.no from read.source s where s.id = ${id} and ${seenSource(scope)}`,
  );
  const after = cursor === null ? null : sql<boolean>`s.no < ${cursor.no}`;
  const { rows } = await sql<StoredSource>`
    select ${sourceColumns(scope)} from read.source s
    where ${seenSource(scope)} and s.status <> 'removed' and ${listCondition(filter)} and ${orTrue(after)}
    order by s.no desc limit ${page.limit + 1}`.execute(db);
  return pageOf(rows.map(recordOf), page, await total(db, countRows, scope, filter));
};

const listCondition = ({ sourceGroupId, sourceType, fileType, url }: SourceListFilter) =>
  sql<boolean>`(${orTrue(restriction('s', { sourceGroupId, sourceType, fileType }))}
    and ${orTrue(url === undefined ? null : sql<boolean>`md5(s.url) = md5(${storable(url)}) and s.url = ${storable(url)}`)})`;

type Restriction = { readonly [K in 'sourceGroupId' | 'sourceType' | 'fileType']: string | undefined };

/** The restrictions of lists and their counters, on a table with these columns. */
const restriction = (alias: string, { sourceGroupId, sourceType, fileType }: Restriction) => {
  const column = (name: string) => sql.id(alias, name);
  const conditions: readonly (RawBuilder<boolean> | null)[] = [
    sourceGroupId === undefined
      ? null
      : sql<boolean>`${column('data_source_id')} = any(${uuids([sourceGroupId])}::uuid[])`,
    sourceType === undefined ? null : sql<boolean>`${column('source_type')} = ${storable(sourceType)}`,
    fileType === undefined ? null : sql<boolean>`${column('file_type')} = ${storable(fileType)}`,
  ];
  return sql<boolean>`(${sql.join(conditions.map(orTrue), sql` and `)})`;
};

/**
 * Uses counters, minus the hidden rows that they include. Counts the rows of a URL, which are few, and the
 * rows that a policy allows.
 */
const total = (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  { url, sourceGroupId, sourceType, fileType }: SourceListFilter,
): Promise<number> => {
  const by = { sourceGroupId, sourceType, fileType };
  if (url === undefined && scope.access === null) {
    return countOf(
      db,
      sql`select (
        select coalesce(sum(n.sources), 0)::bigint from read.source_count n
        where ${inScope(scope, 'n')} and ${restriction('n', by)}) - (
        select count(*) from read.source s
        where s.no = any(${sourceTombstones(scope.tenant)}) and ${inScope(scope, 's')} and s.status <> 'removed'
          and ${restriction('s', by)}) as n`,
    );
  }
  return countRows(
    db,
    scope.tenant,
    sql`select count(*) as n from read.source s
    where ${seenSource(scope)} and s.status <> 'removed' and ${listCondition({ ...defined(by), ...(url !== undefined && { url }) })}`,
  );
};

const defined = ({ sourceGroupId, sourceType, fileType }: Restriction): SourceListFilter => ({
  ...(sourceGroupId !== undefined && { sourceGroupId }),
  ...(sourceType !== undefined && { sourceType }),
  ...(fileType !== undefined && { fileType }),
});

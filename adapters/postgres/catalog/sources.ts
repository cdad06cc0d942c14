import { type RawBuilder, sql } from 'kysely';
import {
  type CatalogScope,
  filtersChunks,
  type SourceListFilter,
  type SourceRecord,
  type SourceSort,
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

interface Place {
  readonly no: number;
  readonly titleKey: string;
}

/** Arrival is `no`: ids derive from hashes and have no order. */
const ORDER: {
  readonly [sort in SourceSort]: {
    readonly by: RawBuilder<unknown>;
    readonly after: (cursor: Place) => RawBuilder<boolean>;
  };
} = {
  newest: { by: sql`s.no desc`, after: ({ no }) => sql`s.no < ${no}` },
  title: {
    by: sql`s.title_key, s.no`,
    after: ({ no, titleKey }) => sql`(s.title_key, s.no) > (${titleKey}::text, ${no}::bigint)`,
  },
};

/** The cursor may be a source that was removed meanwhile. */
export const listSources = async (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  filter: SourceListFilter,
  page: PageRequest,
  sort: SourceSort,
): Promise<Page<SourceRecord>> => {
  const { by, after } = ORDER[sort];
  const cursor = await cursorRow(
    db,
    page.after,
    (id) =>
      sql<Place>`select s.no, s.title_key from read.source s where s.id = ${id} and ${seenSource(scope)}`,
  );
  const { rows } = await sql<StoredSource>`
    select ${sourceColumns(scope)} from read.source s
    where ${listed(scope, filter)} and ${orTrue(cursor && after(cursor))}
    order by ${by} limit ${page.limit + 1}`.execute(db);
  return pageOf(rows.map(recordOf), page, await total(db, countRows, scope, filter));
};

const listed = (
  scope: CatalogScope,
  { url, statuses, contains, ...by }: SourceListFilter,
): RawBuilder<boolean> => {
  const conditions: readonly (RawBuilder<boolean> | null)[] = [
    sql<boolean>`${seenSource(scope)} and s.status <> 'removed' and ${restriction('s', by)}`,
    url === undefined ? null : sql<boolean>`md5(s.url) = md5(${storable(url)}) and s.url = ${storable(url)}`,
    statuses === undefined ? null : sql<boolean>`s.status = any(${statuses}::text[])`,
    contains === undefined
      ? null
      : sql<boolean>`exists (select from unnest(array[s.title, s.url, s.locator]) part
          where strpos(lower(part collate "default"), lower(${storable(contains)})) > 0)`,
  ];
  return sql<boolean>`(${sql.join(conditions.map(orTrue), sql` and `)})`;
};

/** What counters know of a source. */
type Restriction = Pick<SourceListFilter, 'sourceGroupId' | 'sourceType' | 'fileType'>;

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

/** Uses counters, minus the hidden rows that they include; counts the rows where other conditions or a policy decide. */
const total = (
  db: Sql,
  countRows: CountRows,
  scope: CatalogScope,
  filter: SourceListFilter,
): Promise<number> => {
  const { url, statuses, contains, ...by } = filter;
  const isCounted = [url, statuses, contains].every((one) => one === undefined) && scope.access === null;
  if (!isCounted)
    return countRows(
      db,
      scope.tenant,
      sql`select count(*) as n from read.source s where ${listed(scope, filter)}`,
    );
  return countOf(
    db,
    sql`select (
      select coalesce(sum(n.sources), 0)::bigint from read.source_count n
      where ${inScope(scope, 'n')} and ${restriction('n', by)}) - (
      select count(*) from read.source s
      where s.no = any(${sourceTombstones(scope.tenant)}) and ${inScope(scope, 's')} and s.status <> 'removed'
        and ${restriction('s', by)}) as n`,
  );
};

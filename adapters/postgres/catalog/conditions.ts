import {
  type CatalogScope,
  type ContentFilter,
  type ContentRecord,
  type GroupScope,
  type TagFilter,
  filtersChunks,
} from '../../../application/ports/catalog.ts';
import type { Filter } from '../../../domain/filter/filter.ts';
import { hostName } from '../../../domain/filter/matches.ts';
import { storable } from '../../../domain/filter/value.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { hiddenDataSources, notAmong, sourceTombstones } from '../read-your-writes/conditions.ts';
import { type ValueColumn, metadataExpression } from './metadata-filter.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Condition for the rows that the scope's key may reach, regardless of policies, on a table with `tenant` and
 * `data_source_id` under this alias. The caller must exclude individually removed documents: see
 * `withheldSources`.
 */
export const inScope = ({ tenant, only }: GroupScope, alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.id(alias, name);
  return sql<boolean>`(${column('tenant')} = ${tenant} and ${notAmong(hiddenDataSources(tenant), column('data_source_id'))}
    and ${only === null ? sql`true` : sql`${column('data_source_id')} = any(${uuids(only)}::uuid[])`})`;
};

/** Condition on `read.content` as `c` for the contents that the scope may see. */
export const seenContent = (scope: CatalogScope): RawBuilder<boolean> => {
  const { access, tenant } = scope;
  const reachable = sql<boolean>`(${inScope(scope, 'c')} and ${notAmong(sourceTombstones(tenant), sql`c.source_no`)})`;
  if (access === null) return reachable;
  return sql<boolean>`(${reachable} and ${onSource(access.sources, tenant)} and ${onContent(access.chunks, tenant)})`;
};

/** Condition on `read.source` as `s` for the sources that the scope may see. */
export const seenSource = (scope: CatalogScope): RawBuilder<boolean> => {
  const { access, tenant } = scope;
  const reachable = sql<boolean>`(${inScope(scope, 's')} and ${notAmong(sourceTombstones(tenant), sql`s.no`)})`;
  if (access === null) return reachable;
  const allowed = metadataExpression(access.sources, {
    table: sql`read.source_metadata`,
    owned: sql<boolean>`m.source_no = s.no`,
    tenant,
  });
  const some = filtersChunks(scope) ? sql`${seenContentsOf(scope)} > 0` : sql`true`;
  return sql<boolean>`(${reachable} and ${allowed} and ${some})`;
};

/** Number of contents of a source `s` that the scope may see. */
export const seenContentsOf = (scope: CatalogScope): RawBuilder<number> =>
  filtersChunks(scope)
    ? sql<number>`(select count(*) from read.content c where c.source_no = s.no and ${seenContent(scope)})`
    : sql<number>`s.content_count`;

/** The filter as a condition on `read.content` as `c`; null if it is empty. */
export const contentCondition = (
  { tenant }: CatalogScope,
  filter: ContentFilter,
): RawBuilder<boolean> | null => {
  const { tags, sourceGroupIds, sourceTypes, fileTypes, dateFrom, dateTo, domains } = filter;
  const conditions = [
    sourceGroupIds && sql<boolean>`c.data_source_id = any(${uuids(sourceGroupIds)}::uuid[])`,
    tags && hasTags(tenant, tags, 'c'),
    sourceTypes && sql<boolean>`c.source_type = any(${sourceTypes.map(storable)}::text[])`,
    fileTypes && sql<boolean>`c.file_type = any(${fileTypes.map(storable)}::text[])`,
    dateFrom === undefined
      ? undefined
      : sql<boolean>`c.timestamp >= ${clampToSafeInteger(Math.ceil(dateFrom))}::bigint`,
    dateTo === undefined
      ? undefined
      : sql<boolean>`c.timestamp <= ${clampToSafeInteger(Math.floor(dateTo))}::bigint`,
    domains && underDomains(domains),
    ...(filter.sourceMetadata ?? []).map((metadata) => onSource(metadata, tenant)),
    ...(filter.chunkMetadata ?? []).map((metadata) => onContent(metadata, tenant)),
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? null : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

/**
 * Condition that the source group has the tags, on a table with `data_source_id` under this alias. The groups
 * are looked up once per statement.
 */
export const hasTags = (tenant: string, tags: TagFilter, alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.id(alias, 'data_source_id')} = any(${groupsWithTags(tenant, tags)})`;

/** Ids of the source groups that have the tags, as an array. */
export const groupsWithTags = (
  tenant: string,
  { names, ids, logic }: TagFilter,
): RawBuilder<readonly string[]> => {
  const known = uuids(ids).map((id) => id.toLowerCase());
  if (logic === 'AND' && known.length < ids.length) return sql`array[]::uuid[]`;
  const all = sql`having array_agg(t.name) @> ${names.map(storable)}::text[] collate "C"
    and array_agg(t.id) @> ${known}::uuid[]`;
  return sql`array(select b.source_group_id from read.tag t join read.tag_binding b on b.tag_id = t.id and not b.gone
    where t.tenant = ${tenant} and not t.deleted
      and (t.name = any(${names.map(storable)}::text[]) or t.id = any(${known}::uuid[]))
    group by b.source_group_id ${logic === 'AND' ? all : sql``})`;
};

/** Clamps to the integers that bigint and number both represent exactly: no timestamp is outside. */
const clampToSafeInteger = (seconds: number): number =>
  Math.min(Math.max(seconds, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);

const onSource = (filter: Filter, tenant: string): RawBuilder<boolean> =>
  metadataExpression(filter, {
    table: sql`read.source_metadata`,
    owned: sql<boolean>`m.source_no = c.source_no`,
    tenant,
  });

const onContent = (filter: Filter, tenant: string): RawBuilder<boolean> =>
  metadataExpression(filter, {
    table: sql`read.content_metadata`,
    owned: sql<boolean>`m.content_no = c.no`,
    tenant,
    columns: CONTENT_COLUMNS,
  });

/** What `chunkMetadata` has beside what chunks declare. */
const CONTENT_COLUMNS: ReadonlyMap<string, ValueColumn> = new Map<string, ValueColumn>([
  [
    'heading',
    {
      rows: sql`(select h.val collate "C" as val_text, null::float8 as val_number, null::bigint as val_time
        from jsonb_array_elements_text(c.heading_path) as h(val))`,
      // Not with "or", which no index serves.
      hasText: (texts, tenant, stored) => sql<boolean>`c.no in (
        select h.no from read.content h where h.tenant = ${tenant} and h.heading_path ?| ${texts}::text[]
        union all select m.content_no from read.content_metadata m where ${stored})`,
    },
  ],
  [
    'page_number',
    {
      rows: sql`(select c.page_number::text collate "C" as val_text, c.page_number::float8 as val_number,
        null::bigint as val_time where c.page_number > 0)`,
    },
  ],
]);

/** The host itself or a subdomain. Compares the end of the text, not a pattern: a domain has no wildcards. */
const underDomains = (domains: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from unnest(${domains.map(hostName)}::text[]) as d(domain)
    where c.host = d.domain or right(c.host, length(d.domain) + 1) = '.' || d.domain)`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (id: string): boolean => UUID.test(id);

/** Keeps only UUIDs: no row has another id, and Postgres would reject it. */
export const uuids = (ids: readonly string[]): readonly string[] => ids.filter(isUuid);

/** Hosts of repositories support links to lines; other sites do not. */
const URL = sql`case when c.lines is null or c.source_type <> 'repo' then s.url
  else concat(s.url, '#L', c.lines->>'first', '-L', c.lines->>'last') end`;

/** Columns of a ContentRecord except its text; `c` is `read.content`. */
export const recordColumns = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`c.id, ${URL} as url, s.title, c.timestamp, c.file_type, c.page_number, c.source_type,
  s.id as source_id, c.data_source_id as source_group_id, ${filtersChunks(scope) ? sql`'{}'::text[]` : sql`s.keywords`} as keywords`;

/** Columns of a ContentRecord. */
export const contentRecord = (scope: CatalogScope): RawBuilder<unknown> =>
  sql`x.text, ${recordColumns(scope)}`;

export const WITH_SOURCE = sql`join read.source s on s.no = c.source_no`;

/** Joins the source and the text of a content to `c`. */
export const WITH_TEXT = sql`${WITH_SOURCE} join read.content_text x on x.content_no = c.no`;

/** The content, if the scope may see it. */
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

/** A statement whose shape depends on a policy is planned each time. */
export const planOf = ({ access }: CatalogScope): RawBuilder<unknown> => (access === null ? PREPARED : sql``);

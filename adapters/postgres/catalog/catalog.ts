import type { MetadataValueType } from '../../../domain/source/events.ts';
import type { Catalog, CatalogScope, PurgeCatalog } from '../../../application/ports/catalog.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { contentById, seenContent, seenSource } from './conditions.ts';
import { createCountRows } from './count-rows.ts';
import { createContentsById } from './contents-by-id.ts';
import { INDEXED_LENGTH } from './metadata-filter.ts';
import { contentsOfSource, queryContents } from './query-contents.ts';
import { getSource, listSources } from './sources.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Reads the live version of view `catalog`. A list and its total come from one snapshot. Texts that searches
 * read are cached, and so are totals that no counter covers.
 */
export const createCatalog = (db: Sql): Catalog => {
  const countRows = createCountRows();
  return {
    query: (scope, query) => readSnapshot(db, (trx) => queryContents(trx, countRows, scope, query)),
    getContent: (scope, id) => contentById(db, scope, id),
    contentsById: createContentsById(db),
    getSource: (scope, id) => getSource(db, scope, id),
    listSources: (scope, filter, page, sort = 'newest') =>
      readSnapshot(db, (trx) => listSources(trx, countRows, scope, filter, page, sort)),
    contentsOfSource: (scope, sourceId, page) =>
      readSnapshot(db, (trx) => contentsOfSource(trx, scope, sourceId, page)),
    metadataTypes: metadataTypes(db),
  };
};

const METADATA_TYPES: readonly MetadataValueType[] = ['string', 'integer', 'float', 'date', 'datetime'];

/** Metadata of chunks that is not declared: every content has the columns, if not values. */
const COLUMN_TYPES = [
  ['heading', 'string'],
  ['page_number', 'integer'],
] as const;

/**
 * One index lookup per key and type. A restricted scope learns nothing about keys that only other data
 * sources declare. An unrestricted scope needs only the tenant's rows, without a join.
 */
const metadataTypes =
  (db: Sql): Catalog['metadataTypes'] =>
  async (scope, of, keys) => {
    if (keys.length === 0) return new Map();
    const table = of === 'source' ? sql`read.source_metadata` : sql`read.content_metadata`;
    const { rows } = await sql<{ key: string; types: readonly MetadataValueType[] }>`
      select k.key, array_agg(t.type) as types
      from unnest(${keys.filter((key) => !key.includes('\0'))}::text[]) as k(key)
        cross join unnest(${METADATA_TYPES}::text[]) as t(type)
      where exists (select from ${table} m where m.tenant = ${scope.tenant} and ${seen(scope, of)} and m.type = t.type and m.key = k.key
        and left(m.key, ${sql.lit(INDEXED_LENGTH)}) = left(k.key, ${sql.lit(INDEXED_LENGTH)}))
      group by k.key`.execute(db);
    const found = new Map(rows.map(({ key, types }) => [key, types]));
    if (of === 'chunk')
      for (const [key, type] of COLUMN_TYPES)
        if (keys.includes(key)) found.set(key, [...new Set([type, ...(found.get(key) ?? [])])]);
    return found;
  };

const seen = (scope: CatalogScope, of: 'source' | 'chunk'): RawBuilder<boolean> => {
  if (scope.only === null && scope.access === null) return sql<boolean>`true`;
  return of === 'source'
    ? sql<boolean>`exists (select from read.source s where s.no = m.source_no and ${seenSource(scope)})`
    : sql<boolean>`exists (select from read.content c where c.no = m.content_no and ${seenContent(scope)})`;
};

/** Reads the rows themselves, not the counters, to report what actually exists. */
export const createPurgeCatalog = (db: Sql): PurgeCatalog => ({
  countOf: async (dataSourceId) => {
    const { rows } = await sql<{ sources: number; contents: number }>`
      select
        (select count(*) from read.source where data_source_id = ${dataSourceId} and status <> 'removed') as sources,
        (select count(*) from read.content where data_source_id = ${dataSourceId}) as contents`.execute(db);
    return rows[0] ?? { sources: 0, contents: 0 };
  },
  sourceIds: async (tenant, dataSourceId, limit) => {
    const rows = await db
      .selectFrom('read.source')
      .select('id')
      .where('dataSourceId', '=', dataSourceId)
      .where('tenant', '=', tenant)
      .where('status', '<>', 'removed')
      .orderBy('no')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },
  filesOf: async (dataSourceId) => {
    const { rows } = await sql<{ raw: string; chunkSet: string }>`
      select indexed->>'raw_sha256' as raw, indexed->>'chunk_set_sha256' as chunk_set from read.source
      where data_source_id = ${dataSourceId} and status <> 'removed' and indexed is not null`.execute(db);
    return new Set(rows.flatMap(({ raw, chunkSet }) => [raw, chunkSet]));
  },
});

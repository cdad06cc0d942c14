import { INDEXED_LENGTH } from '../../catalog/metadata-filter.ts';
import type { Sql } from '../../database-schema.ts';
import { LEXICAL_TABLES, createLexicalTables, withoutStatistics } from '../../postings/index-state.ts';
import { mergeSegments } from '../../postings/merge-segments.ts';
import { createStems } from '../../postings/stems.ts';
import type { DecodedProjection } from '../projection.ts';
import { foldBatch, loadBatch } from './batch.ts';
import { type ReadChunkSet, readChunkSets } from './changed-sources.ts';
import { writeBatch } from './write-batch.ts';
import { type RawBuilder, sql } from 'kysely';
import { hash } from 'node:crypto';

export interface CatalogProjection extends DecodedProjection {
  /** One merge step of the lexical index in `schema`, in its own transaction; see `mergeSegments`. */
  readonly merge: (trx: Sql, schema: string, limit?: number) => Promise<number>;
}

/**
 * Projects documents, their contents and the lexical index from the events of sources and data sources.
 *
 * A batch is folded in memory and written in bulk. Contents come from chunk sets in the file store, never
 * from events. A missing chunk set was superseded and cleaned up: the source then has no contents and is
 * marked so, until a later event brings the newer set. A read failure is thrown, and the batch is retried.
 */
export const createCatalogProjection = ({
  readChunkSet,
  lexical = true,
}: {
  readonly readChunkSet: ReadChunkSet;
  /** Whether the lexical index is filled: not beside another search engine. Default: yes. */
  readonly lexical?: boolean;
}): CatalogProjection => {
  const stems = lexical ? createStems() : null;
  return {
    view: 'catalog',
    // A change of the engine is a change of the shape: the lexical index is made or left out from the beginning.
    shape: 2 * SHAPE + (lexical ? 0 : 1),
    // Not by type: events of a newer version would be skipped silently.
    filter: { categories: ['source', 'dataSource'] },
    whole: ['source'],
    // Each event may bring a text.
    batchSize: 500,
    tables: [...CATALOG_TABLES, 'content_text'],
    create: createCatalogTables,
    isRelevant: (type) => CONCERNS.has(type),
    apply: async (trx, schema, projected) => {
      const events = projected.filter(({ event }) => CONCERNS.has(event.type));
      if (events.length === 0) return;
      const before = await loadBatch(trx, schema, events);
      const chunkSets = await readChunkSets(before, events, readChunkSet);
      await writeBatch(trx, schema, stems, before, await foldBatch(before, events, chunkSets, digest));
    },
    merge: mergeSegments,
  };
};

const SHAPE = 19;

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const CONCERNS: ReadonlySet<string> = new Set([
  'SourceIndexed',
  'SourceSkipped',
  'SourceFailed',
  'SourceRemoved',
  'SourceMetadataReplaced',
  'SourceMetadataDeleted',
  'DataSourceDeletionRequested',
  'DataSourceDeleted',
]);

export const CATALOG_TABLES: readonly string[] = [
  'source',
  'source_metadata',
  'source_count',
  'content',
  'text_block',
  'content_metadata',
  'hidden_data_source',
  ...LEXICAL_TABLES,
];

/**
 * Creates the catalog of one version. Rows are identified outside by `id` and inside by `no`, which orders
 * them by arrival.
 *
 * - `source`: one row per document, including removed ones, so that cursors stay valid.
 * - `content`: the columns for filters and ranking, narrow enough to be scanned.
 * - `text_block`: the texts of a document's contents in reading order, several to a row, which Postgres compresses to
 * less than half; it compresses nothing as short as one text. The SQL view `content_text` has the text of each content.
 * - `content_metadata`: what chunks declare; pages and headings are columns of `content`.
 * A content whose words change (its title, say) gets a new `no` under the same id, because segments never
 * change.
 * - `source_count`: totals of lists by their possible restrictions, and the bytes of the stored files.
 * - `hidden_data_source`: data sources whose deletion was requested. Every read excludes them; rows may still
 * exist.
 */
const createCatalogTables = async (trx: Sql, schema: string): Promise<void> => {
  await createSource(trx, schema);
  await createContent(trx, schema);
  await createMetadata(trx, schema, 'source');
  await createMetadata(trx, schema, 'content');
  await sql`create table ${sql.id(schema, 'hidden_data_source')} (
    data_source_id uuid primary key,
    tenant text collate "C" not null,
    deleted boolean not null)`.execute(trx);
  await index(trx, sql.id(schema, 'hidden_data_source'), sql`(tenant) where not deleted`);
  await createLexicalTables(trx, schema);
};

const createSource = async (trx: Sql, schema: string): Promise<void> => {
  const source = sql.id(schema, 'source');
  await sql`create table ${source} (
    no bigint generated always as identity primary key,
    id uuid not null unique,
    tenant text collate "C" not null,
    data_source_id uuid not null,
    source_type text not null,
    locator text not null,
    url text not null,
    title text collate "C" not null,
    title_key text collate "C" not null generated always as (left(title, 200)) stored,
    status text not null,
    skip_reason text,
    error jsonb,
    indexed jsonb,
    file_type text generated always as (indexed ->> 'file_type') stored,
    keywords jsonb not null,
    content_count int not null,
    content_missing boolean not null,
    generation bigint not null,
    last_seen_at bigint not null,
    revision bigint not null)`.execute(trx);
  await index(trx, source, sql`(tenant, no)`);
  await index(trx, source, sql`(tenant, title_key)`);
  await index(trx, source, sql`(tenant, md5(url))`);
  await index(trx, source, sql`(data_source_id, tenant, no)`);
  await sql`create table ${sql.id(schema, 'source_count')} (
    tenant text collate "C" not null,
    data_source_id uuid not null,
    source_type text not null,
    file_type text not null,
    sources bigint not null,
    contents bigint not null,
    bytes bigint not null,
    primary key (tenant, data_source_id, source_type, file_type))`.execute(trx);
};

const createContent = async (trx: Sql, schema: string): Promise<void> => {
  const content = sql.id(schema, 'content');
  await sql`create table ${content} (
    no bigint generated always as identity primary key,
    source_no bigint not null,
    timestamp bigint not null,
    ord int not null,
    page_number int not null,
    text_length int not null,
    title_length int not null,
    id uuid not null unique,
    data_source_id uuid not null,
    tenant text collate "C" not null,
    source_type text not null,
    file_type text not null,
    host text,
    lines jsonb,
    label text not null,
    heading_path jsonb not null)`.execute(trx);
  await index(trx, content, sql`(source_no, ord)`);
  await index(trx, content, sql`using gin (heading_path)`);
  // Without the id that lists are sorted by next: a document's contents have one key, which is kept once.
  await index(trx, content, sql`(tenant, timestamp, source_no)`);
  await index(trx, content, sql`(data_source_id, timestamp, source_no)`);
  const blocks = sql.id(schema, 'text_block');
  await sql`create table ${blocks} (
    source_no bigint not null,
    first_ord int not null,
    texts text[] not null,
    primary key (source_no, first_ord))`.execute(trx);
  await withoutStatistics(trx, blocks, ['texts']);
  await sql`create view ${sql.id(schema, 'content_text')} as
    select c.no as content_no, c.heading_path, (
      select b.texts[c.ord - b.first_ord + 1] from ${blocks} b
      where b.source_no = c.source_no and b.first_ord <= c.ord order by b.first_ord desc limit 1) as text
    from ${content} c`.execute(trx);
};

/** Side tables of metadata: a value always as text, and also as a number or time if it is one. */
const createMetadata = async (trx: Sql, schema: string, owner: 'source' | 'content'): Promise<void> => {
  const table = sql.id(schema, `${owner}_metadata`);
  const no = sql.id(`${owner}_no`);
  await sql`create table ${table} (
    ${no} bigint not null,
    ord int not null,
    tenant text collate "C" not null,
    key text collate "C" not null,
    type text not null,
    val_text text collate "C" not null,
    val_number float8,
    val_time bigint,
    primary key (${no}, ord))`.execute(trx);
  const key = sql`tenant, left(key, ${sql.lit(INDEXED_LENGTH)})`;
  await index(trx, table, sql`(${key}, type)`);
  await index(trx, table, sql`(${key}, left(val_text, ${sql.lit(INDEXED_LENGTH)}))`);
  await index(trx, table, sql`(${key}, val_number) where val_number is not null`);
  await index(trx, table, sql`(${key}, val_time) where val_time is not null`);
};

const index = async (trx: Sql, table: RawBuilder<unknown>, body: RawBuilder<unknown>): Promise<void> => {
  await sql`create index on ${table} ${body}`.execute(trx);
};

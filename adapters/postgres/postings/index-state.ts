import type { Segment } from '../../../domain/ranking/postings.ts';
import type { SegmentCache } from '../../../domain/ranking/segment-cache.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { PREPARED } from '../prepared-statements.ts';
import { type RawBuilder, sql } from 'kysely';

/** One state of a tenant's index: a version of the catalog, as one statement saw it. */
export interface IndexState {
  readonly version: number;
  readonly tenantNo: number;
  readonly segments: readonly Segment[];
  /** Batches of counts by which those of the segments have to be lessened. */
  readonly deadBatches: readonly number[];
}

/** Something of a state is gone: a merge, a rebuild or a deletion came in between. */
export class OutdatedState extends Error {
  override readonly name = 'OutdatedState';
}

/**
 * Reads something of which hardly anything ever changes. Segments and batches never do: a statement finds all of those
 * that an earlier one named, or says `OutdatedState`. So no transaction has to hold them; should they be gone, all is read
 * once more, in one snapshot.
 */
export const readState = async <T>(db: Sql, read: (on: Sql) => Promise<T>): Promise<T> => {
  try {
    return await read(db);
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error;
    return readSnapshot(db, read);
  }
};

/** Ends a statement: its plan is kept outside of transactions, which a plan that is refused would end. */
export const keptPlan = (on: Sql): RawBuilder<unknown> => (on.isTransaction ? sql`` : PREPARED);

/** Whether numbers of contents and segments still mean what they meant. */
export const isLive = (version: number): RawBuilder<boolean> =>
  sql<boolean>`(select version from projection_version where view = 'catalog' and live) = ${version}`;

/** Under which what is known of a segment is kept. */
export const keyOf = ({ version, tenantNo }: IndexState, { segment }: Pick<Segment, 'segment'>): string =>
  `${version} ${tenantNo} ${segment}`;

/**
 * Drops from a cache what the tenant's index has no more in this state: of segments and batches that were merged, and of
 * older versions.
 *
 * @param keys under which something of this state may be kept; they begin with the version and the tenant
 */
export const retainState = (
  cache: Pick<SegmentCache<unknown>, 'retain'>,
  state: IndexState,
  keys: (state: IndexState) => readonly string[] = keysOfSegments,
): void => {
  const { version, tenantNo, segments, deadBatches } = state;
  const numbers = [...segments.map(({ segment }) => segment), '', ...deadBatches].join();
  let live: ReadonlySet<string> | null = null;
  cache.retain(String(tenantNo), `${version} ${numbers}`, (key) => {
    const [ofVersion, ofTenant] = key.split(' ', 2).map(Number);
    if (ofVersion !== version) return ofVersion! < version;
    return ofTenant === tenantNo && !(live ??= new Set(keys(state))).has(key);
  });
};

const keysOfSegments = (state: IndexState): readonly string[] => state.segments.map((of) => keyOf(state, of));

export const LEXICAL_TABLES = [
  'lexical_tenant',
  'lexical_segment',
  'lexical_block',
  'lexical_vocabulary',
  'lexical_dead',
  'lexical_dead_batch',
  'lexical_dead_term',
] as const;

/**
 * The lexical index of a catalog, per tenant: immutable segments of postings.
 *
 * - `lexical_tenant` holds what BM25 needs to know of all contents: their number, and the summed lengths of texts and
 *   titles in terms. Always exact. And the languages, beside the usual one, by which contents are or were indexed.
 * - `lexical_segment` covers the contents numbered `first_no` to `last_no`; the ranges of a tenant do not overlap.
 *   `documents` has the number, the lengths and the id of each (`segment-documents.ts`), `directory` the first term of
 *   each block, a line each.
 * - `lexical_block` has the terms of a segment in order, some hundred in each block, with their counts and their packed
 *   postings (`term-blocks.ts`).
 * - `lexical_vocabulary` has the words of a segment for correcting what is misspelled: a line each, with the term that a
 *   content of the segment has under it where that is not the word itself.
 * - `lexical_dead` lists contents that are still in a segment but are gone or hidden. Merging takes them out of both, a day
 * after they are gone at the latest.
 * - `lexical_dead_term` says, in batches, how much of the counts of postings is of the dead: whoever needs the frequency
 *   of a term subtracts it, so that it is exact whatever has been merged. Each batch is packed, in parts by the hashes of
 *   its terms (`dead-terms.ts`): a row for each term would write fifty times as much as the document that goes.
 *
 * The projector only adds rows (and keeps the tenant's up to date); taking away is for merges.
 */
export const createLexicalTables = async (trx: Sql, schema: string): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  await sql`create table ${table('lexical_tenant')} (
    no int generated always as identity primary key,
    tenant text collate "C" not null unique,
    contents bigint not null default 0,
    text_length bigint not null default 0,
    title_length bigint not null default 0,
    languages text[] not null default '{}')`.execute(trx);
  await sql`create table ${table('lexical_segment')} (
    tenant_no int not null,
    segment bigint generated always as identity,
    first_no bigint not null,
    last_no bigint not null,
    contents int not null,
    directory text collate "C" not null,
    documents bytea not null,
    primary key (tenant_no, segment))`.execute(trx);
  await sql`create table ${table('lexical_block')} (
    segment bigint not null,
    tenant_no int not null,
    block int not null,
    bytes bytea not null,
    primary key (tenant_no, segment, block))`.execute(trx);
  // Packed already: to compress it once more would take most of the time of a merge.
  await sql`alter table ${table('lexical_segment')} alter documents set storage external`.execute(trx);
  await sql`alter table ${table('lexical_block')} alter bytes set storage external`.execute(trx);
  await sql`create table ${table('lexical_vocabulary')} (
    tenant_no int not null, segment bigint not null, words text collate "C" not null,
    primary key (tenant_no, segment))`.execute(trx);
  await sql`create table ${table('lexical_dead')} (
    tenant_no int not null, no bigint not null, since timestamptz not null default now(),
    primary key (tenant_no, no))`.execute(trx);
  await sql`create table ${table('lexical_dead_batch')} (
    tenant_no int not null,
    batch bigint generated always as identity,
    terms int not null,
    parts int not null,
    primary key (tenant_no, batch))`.execute(trx);
  await sql`create table ${table('lexical_dead_term')} (
    tenant_no int not null,
    batch bigint not null,
    part int not null,
    lines text collate "C" not null,
    primary key (tenant_no, batch, part))`.execute(trx);
  // Nothing is looked up by these: their samples would be written at each analysis.
  await withoutStatistics(trx, table('lexical_segment'), ['directory', 'documents']);
  await withoutStatistics(trx, table('lexical_block'), ['bytes']);
  await withoutStatistics(trx, table('lexical_vocabulary'), ['words']);
  await withoutStatistics(trx, table('lexical_dead_term'), ['lines']);
};

/** For columns that are in no condition and no order. */
export const withoutStatistics = async (
  trx: Sql,
  table: RawBuilder<unknown>,
  columns: readonly string[],
): Promise<void> => {
  for (const column of columns)
    await sql`alter table ${table} alter ${sql.id(column)} set statistics 0`.execute(trx);
};

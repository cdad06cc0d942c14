import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { chooseMerge, type MergeCandidate } from '../../../domain/ranking/merge-segments.ts';
import type { Counts } from '../../../domain/ranking/term-blocks.ts';
import { intArray } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { type IndexState, OutdatedState, isLive } from './index-state.ts';

/** In how many dead contents each term occurs, in how many of their titles, and how often in all. */
export type DeadCounts = ReadonlyMap<string, Counts>;

/** Terms in a row of a batch, about: what is read to look one up. */
const TERMS_OF_PART = 256;

/** The part of a batch that has a term: its hash (FNV-1a, 31 bits) modulo the number of parts. */
const hashOf = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
};

/** A line: the term, a blank, and df, titleDf and cf, or nothing where they are 1, 0 and 1, as most are. */
const lineOf = (term: string, { df, titleDf, cf }: Counts): string =>
  df === 1 && titleDf === 0 && cf === 1 ? `${term} ` : `${term} ${df} ${titleDf} ${cf}`;

const countsIn = (line: string, blank: number): Counts => {
  if (blank === line.length - 1) return ONCE;
  const [df = 0, titleDf = 0, cf = 0] = line
    .slice(blank + 1)
    .split(' ')
    .map(Number);
  return { df, titleDf, cf };
};
const ONCE: Counts = { df: 1, titleDf: 0, cf: 1 };

const findIn = (lines: string, term: string): Counts | undefined => {
  const all = `\n${lines}\n`;
  const start = all.indexOf(`\n${term} `) + 1;
  return start === 0 ? undefined : countsIn(all.slice(start, all.indexOf('\n', start)), term.length);
};

/** Adds to the first, or subtracts from it. */
export const addCounts = (to: Map<string, Counts>, term: string, by: Counts, sign: 1 | -1 = 1): void => {
  const { df, titleDf, cf } = to.get(term) ?? NONE;
  to.set(term, { df: df + sign * by.df, titleDf: titleDf + sign * by.titleDf, cf: cf + sign * by.cf });
};
const NONE: Counts = { df: 0, titleDf: 0, cf: 0 };

/** Writes down as one batch how much of the counts of postings is of the dead. */
export const insertDeadTerms = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  counts: DeadCounts,
): Promise<void> => {
  const terms = [...counts].filter(([, { df }]) => df > 0);
  if (terms.length === 0) return;
  const parts: string[][] = Array.from({ length: Math.ceil(terms.length / TERMS_OF_PART) }, () => []);
  for (const [term, of] of terms) parts[hashOf(term) % parts.length]?.push(lineOf(term, of));
  await sql`with batch as (
      insert into ${sql.id(schema, 'lexical_dead_batch')} (tenant_no, terms, parts)
      values (${tenantNo}, ${terms.length}, ${parts.length}) returning batch)
    insert into ${sql.id(schema, 'lexical_dead_term')} (tenant_no, batch, part, lines)
    select ${tenantNo}, batch, nth - 1, lines
    from batch, unnest(${parts.map((lines) => lines.join('\n'))}::text[]) with ordinality as p(lines, nth)`.execute(
    trx,
  );
};

/** Takes batches away, all of the tenant's by default; answers their sums. */
const takeBatches = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  batches?: readonly number[],
): Promise<Map<string, Counts>> => {
  const these = batches === undefined ? sql`` : sql`and batch = any(${batches}::bigint[])`;
  const { rows } = await sql<{ readonly lines: string }>`with gone as (
      delete from ${sql.id(schema, 'lexical_dead_batch')} where tenant_no = ${tenantNo} ${these})
    delete from ${sql.id(schema, 'lexical_dead_term')} where tenant_no = ${tenantNo} ${these} returning lines`.execute(
    trx,
  );
  const sums = new Map<string, Counts>();
  for (const [i, { lines }] of rows.entries()) {
    for (const line of lines.split('\n')) {
      const blank = line.indexOf(' ');
      if (blank > 0) addCounts(sums, line.slice(0, blank), countsIn(line, blank));
    }
    if (i % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) await nextTurn();
  }
  return sums;
};
/** Parts between two turns of the event loop. */
const PARTS_AT_ONCE = 16;

/** What postings no longer hold is no longer to be subtracted; adds up what remains as one batch. */
export const lessenDeadTerms = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  by: DeadCounts,
): Promise<void> => {
  const left = await takeBatches(trx, schema, tenantNo);
  for (const [term, counts] of by) addCounts(left, term, counts, -1);
  await insertDeadTerms(trx, schema, tenantNo, left);
};

/**
 * Adds up batches of one tenant, of about one size like segments, so that a search finds few rows per term; answers how
 * many batches it was. Only a statement that merges may take batches away, and only one runs at a time.
 */
export const mergeDeadTerms = async (trx: Sql, schema: string, limit: number): Promise<number> => {
  const { rows } = await sql<MergeCandidate & { readonly tenantNo: number }>`
    select tenant_no, batch as segment, terms as contents, 0 as dead
    from ${sql.id(schema, 'lexical_dead_batch')} order by tenant_no, batch`.execute(trx);
  for (const [tenantNo, batches] of Map.groupBy(rows, (row) => row.tenantNo)) {
    const chosen = chooseMerge(batches, limit).map(({ segment }) => segment);
    if (chosen.length === 0) continue;
    await insertDeadTerms(trx, schema, tenantNo, await takeBatches(trx, schema, tenantNo, chosen));
    return chosen.length;
  }
  return 0;
};

/**
 * What each batch of a state says of these terms, in the order of its batches; terms of which it says nothing are not in
 * the answer. One statement.
 *
 * @throws OutdatedState where a batch is gone
 */
export const readDeadTerms = async (
  trx: Sql,
  { version, tenantNo, deadBatches }: IndexState,
  terms: readonly string[],
): Promise<readonly DeadCounts[]> => {
  const hashes = terms.map(hashOf);
  const { rows } = await sql<Part>`
    select b.batch, b.parts, d.part, d.lines
    from read.lexical_dead_batch b
      cross join lateral (select distinct hash % b.parts as part from unnest(${intArray(Int32Array.from(hashes))}::int[]) hash) h
      join read.lexical_dead_term d on d.tenant_no = b.tenant_no and d.batch = b.batch and d.part = h.part
    where b.tenant_no = ${tenantNo} and b.batch = any(${deadBatches}::bigint[]) and ${isLive(version)}`.execute(
    trx,
  );
  const ofBatch = Map.groupBy(rows, ({ batch }) => batch);
  if (ofBatch.size < deadBatches.length) throw new OutdatedState();
  return deadBatches.map((batch) => {
    const parts = new Map(ofBatch.get(batch)?.map((row) => [row.part, row]));
    const found = new Map<string, Counts>();
    for (const [i, term] of terms.entries()) {
      const part = parts.get((hashes[i] ?? 0) % (parts.values().next().value?.parts ?? 1));
      const of = part === undefined ? undefined : findIn(part.lines, term);
      if (of !== undefined) found.set(term, of);
    }
    return found;
  });
};
interface Part {
  readonly batch: number;
  readonly parts: number;
  readonly part: number;
  readonly lines: string;
}

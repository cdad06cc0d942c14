import { sql } from 'kysely';
import { createSegmentCache, type SegmentCache } from '../../../domain/ranking/segment-cache.ts';
import type { Counts } from '../../../domain/ranking/term-blocks.ts';
import type { Sql } from '../sql.ts';
import { type IndexState, keyOf, type SegmentReader } from './segment-reader.ts';

const NONE: Counts = { df: 0, titleDf: 0, cf: 0 };
/** A term and its counts in a segment, about: most are in few of them, and share what says that it is in none. */
const ENTRY_BYTES = 120;

/** The living contents of a tenant that have each of these terms; of those that any has, in their order. */
export type ReadCounts = (
  trx: Sql,
  state: IndexState & { readonly hasDeadTerms: boolean },
  terms: readonly string[],
) => Promise<ReadonlyMap<string, Counts>>;

/**
 * Counts of terms, added up over segments here: those of a segment never change. What is to be subtracted for the dead is
 * asked for each time, where there is any.
 */
export const createReadCounts = (reader: SegmentReader, mostBytes: number): ReadCounts => {
  const cache = createSegmentCache<Counts>(mostBytes, () => ENTRY_BYTES);
  return async (trx, state, terms) => {
    const bySegment = await ofSegments(trx, reader, cache, state, terms);
    const dead = state.hasDeadTerms ? await deadCounts(trx, state, terms) : new Map<string, Counts>();
    const sums = new Map<string, Counts>();
    for (const term of terms) {
      const less = dead.get(term) ?? NONE;
      let { df, titleDf, cf } = { df: -less.df, titleDf: -less.titleDf, cf: -less.cf };
      for (const of of bySegment) {
        const counts = of.get(term) ?? NONE;
        df += counts.df;
        titleDf += counts.titleDf;
        cf += counts.cf;
      }
      if (df > 0) sums.set(term, { df, titleDf, cf });
    }
    return sums;
  };
};

/** Of these terms in each segment. */
const ofSegments = async (
  trx: Sql,
  reader: SegmentReader,
  cache: SegmentCache<Counts>,
  state: IndexState,
  terms: readonly string[],
): Promise<readonly ReadonlyMap<string, Counts>[]> => {
  const cached = state.segments.map((of) => cache.of(keyOf(state, of)));
  const wanted = cached.map((of) => terms.filter((term) => !of.has(term)));
  if (wanted.every(({ length }) => length === 0)) return cached;
  // Copies: to add some to the memory may take others out of it.
  const known = cached.map((of) => new Map(terms.map((term) => [term, of.get(term) ?? NONE])));
  const found = await reader.entries(trx, state, wanted);
  for (const [i, of] of state.segments.entries()) {
    for (const term of wanted[i] ?? []) {
      const entry = found[i]?.get(term) ?? null;
      // Without the block that the entry lies in.
      const counts = entry === null ? NONE : { df: entry.df, titleDf: entry.titleDf, cf: entry.cf };
      known[i]?.set(term, counts);
      cache.add(keyOf(state, of), term, counts);
    }
  }
  return known;
};

const deadCounts = async (
  trx: Sql,
  { tenantNo }: IndexState,
  terms: readonly string[],
): Promise<ReadonlyMap<string, Counts>> => {
  const { rows } = await sql<Counts & { readonly term: string }>`
    select term, sum(df)::float8 as df, sum(title_df)::float8 as title_df, sum(cf)::float8 as cf
    from read.lexical_dead_term
    where tenant_no = ${tenantNo} and term = any(string_to_array(${terms.join(' ')}, ' '))
    group by term`.execute(trx);
  return new Map(rows.map(({ term, ...counts }) => [term, counts]));
};

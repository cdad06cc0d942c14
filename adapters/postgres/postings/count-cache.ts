import { sql } from 'kysely';
import { createSegmentCache, type SegmentCache } from '../../../domain/ranking/segment-cache.ts';
import type { Sql } from '../sql.ts';
import type { IndexState } from './read-postings.ts';

/** In how many contents of a segment, or of a tenant, a term occurs, and how often in all. */
interface Counts {
  readonly df: number;
  readonly cf: number;
}

const NONE: Counts = { df: 0, cf: 0 };
/** A term and its counts in a segment, about: most are in few of them, and share what says that it is in none. */
const ENTRY_BYTES = 120;

/** The living contents of a tenant that have each of these terms; of those that any has, in their order. */
export type ReadCounts = (
  trx: Sql,
  state: IndexState & { readonly hasDeadTerms: boolean },
  terms: readonly string[],
) => Promise<ReadonlyMap<string, Counts>>;

/**
 * Counts of terms, added up over segments here: those of a segment never change, and are read once. What is to be
 * subtracted for the dead is asked for each time, where there is any.
 */
export const createReadCounts = (mostBytes: number): ReadCounts => {
  const cache = createSegmentCache<Counts>(mostBytes, () => ENTRY_BYTES);
  return async (trx, state, terms) => {
    const [bySegment, dead] = [
      await ofSegments(trx, cache, state, terms),
      state.hasDeadTerms ? await deadCounts(trx, state, terms) : new Map<string, Counts>(),
    ];
    return new Map(
      terms.flatMap((term) => {
        let { df, cf } = { df: -(dead.get(term)?.df ?? 0), cf: -(dead.get(term)?.cf ?? 0) };
        for (const of of bySegment) {
          const counts = of.get(term) ?? NONE;
          df += counts.df;
          cf += counts.cf;
        }
        return df > 0 ? [[term, { df, cf }] as const] : [];
      }),
    );
  };
};

/** Of these terms in each segment; what is not in memory is read in one statement. */
const ofSegments = async (
  trx: Sql,
  cache: SegmentCache<Counts>,
  { version, tenantNo, segments }: IndexState,
  terms: readonly string[],
): Promise<readonly ReadonlyMap<string, Counts>[]> => {
  const keyed = segments.map(({ segment }) => ({ segment, key: `${version} ${tenantNo} ${segment}` }));
  const lacking = keyed.filter(({ key }) => terms.some((term) => !cache.of(key).has(term)));
  if (lacking.length === 0) return keyed.map(({ key }) => cache.of(key));
  const wanted = terms.filter((term) => lacking.some(({ key }) => !cache.of(key).has(term)));
  // Copies: to add some to the memory may take others out of it.
  const known = keyed.map(({ key }) => {
    const of = cache.of(key);
    return new Map(terms.map((term) => [term, of.get(term) ?? null]));
  });
  const read = await stored(
    trx,
    tenantNo,
    lacking.map(({ segment }) => segment),
    wanted,
  );
  return known.map((of, i) => {
    const { segment, key } = keyed[i] ?? { segment: 0, key: '' };
    return new Map(
      [...of].map(([term, counts]) => {
        if (counts !== null) return [term, counts];
        const found = read.get(`${segment} ${term}`) ?? NONE;
        cache.add(key, term, found);
        return [term, found];
      }),
    );
  });
};

const stored = async (
  trx: Sql,
  tenantNo: number,
  segments: readonly number[],
  terms: readonly string[],
): Promise<ReadonlyMap<string, Counts>> => {
  const { rows } = await sql<Counts & { readonly segment: number; readonly term: string }>`
    select segment, term, df, cf::float8 as cf from read.lexical_posting
    where tenant_no = ${tenantNo} and term = any(string_to_array(${terms.join(' ')}, ' '))
      and segment = any(${segments}::bigint[])`.execute(trx);
  return new Map(rows.map(({ segment, term, df, cf }) => [`${segment} ${term}`, { df, cf }]));
};

const deadCounts = async (
  trx: Sql,
  { tenantNo }: IndexState,
  terms: readonly string[],
): Promise<ReadonlyMap<string, Counts>> => {
  const { rows } = await sql<Counts & { readonly term: string }>`
    select term, sum(df)::float8 as df, sum(cf)::float8 as cf from read.lexical_dead_term
    where tenant_no = ${tenantNo} and term = any(string_to_array(${terms.join(' ')}, ' '))
    group by term`.execute(trx);
  return new Map(rows.map(({ term, df, cf }) => [term, { df, cf }]));
};

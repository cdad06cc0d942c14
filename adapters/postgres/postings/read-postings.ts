import { sql } from 'kysely';
import type { Sql } from '../sql.ts';
import { bigintsOf, intsOf } from './binary-array.ts';
import type { PostingCache } from '../../../domain/ranking/posting-cache.ts';
import { NO_POSTINGS, type Postings, postingsOf, type Segment } from '../../../domain/ranking/postings.ts';

/** One state of a tenant's index: a version of the catalog, as one transaction sees it. */
export interface IndexState {
  readonly version: number;
  readonly tenantNo: number;
  readonly segments: readonly Segment[];
}

/** Postings of one segment, by term. */
export type SegmentPostings = ReadonlyMap<string, Postings>;

/**
 * The postings of these terms, segment by segment; what is not in memory is read in one statement. The transaction must
 * be the one that the state was read in, and see all of it alike: merges take away what they have merged.
 */
export const readPostings = async (
  trx: Sql,
  cache: PostingCache,
  { version, tenantNo, segments }: IndexState,
  terms: readonly string[],
): Promise<readonly SegmentPostings[]> => {
  const cached = segments.map(({ segment }) => cache.of(`${version} ${tenantNo} ${segment}`));
  const isComplete = (of: SegmentPostings): boolean => terms.every((term) => of.has(term));
  if (cached.every(isComplete)) return cached;
  // Copies: to add some to the memory may take others out of it.
  const known = cached.map(
    (of) => new Map(terms.flatMap((term) => (of.has(term) ? [[term, of.get(term) ?? NO_POSTINGS]] : []))),
  );
  const missing = segments.filter((_, i) => !isComplete(known[i] ?? new Map()));
  const wanted = terms.filter((term) => known.some((of) => !of.has(term)));
  const read = await stored(trx, tenantNo, missing, wanted);
  for (const [i, at] of segments.entries()) {
    const of = known[i];
    const { segment } = at;
    for (const term of wanted) {
      if (of === undefined || of.has(term)) continue;
      const found = read.get(`${segment} ${term}`);
      const postings = found === undefined ? NO_POSTINGS : unpacked(found, at);
      of.set(term, postings);
      cache.add(`${version} ${tenantNo} ${segment}`, term, postings);
    }
  }
  return known;
};

interface StoredPostings {
  readonly segment: number;
  readonly term: string;
  readonly nos: Buffer;
  readonly statistics: Buffer;
}

/** In Postgres' binary form: to print and to parse hundreds of thousands of numbers would take most of the time. */
const stored = async (
  trx: Sql,
  tenantNo: number,
  segments: readonly Segment[],
  terms: readonly string[],
): Promise<ReadonlyMap<string, StoredPostings>> => {
  const { rows } = await sql<StoredPostings>`
    select segment, term, array_send(nos) as nos, array_send(statistics) as statistics
    from read.lexical_posting
    where tenant_no = ${tenantNo} and term = any(${terms}::text[])
      and segment = any(${segments.map(({ segment }) => segment)}::bigint[])`.execute(trx);
  return new Map(rows.map((row) => [`${row.segment} ${row.term}`, row]));
};

const unpacked = ({ nos, statistics }: StoredPostings, segment: Segment): Postings =>
  postingsOf(
    {
      offsets: new Uint32Array(bigintsOf(nos, segment.firstNo)),
      statistics: intsOf(statistics),
    },
    segment,
  );

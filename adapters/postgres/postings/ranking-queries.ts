import { termCounts } from '../../../domain/ranking/asked-terms.ts';
import { unpackPostings } from '../../../domain/ranking/packed-postings.ts';
import {
  type CacheBudget,
  type PostingCache,
  createSegmentCache,
} from '../../../domain/ranking/segment-cache.ts';
import { NO_POSTINGS, type Postings, postingsOf } from '../../../domain/ranking/postings.ts';
import { feedbackWords } from '../../../domain/ranking/vocabulary.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { dataSourcesHiddenSinceView, sourceTombstones } from '../read-your-writes/conditions.ts';
import { type IndexState, OutdatedState, isLive, keptPlan, keyOf, retainState } from './index-state.ts';
import type { SegmentReader } from './segment-reader.ts';
import type { Stems } from './stems.ts';
import { type RawBuilder, sql } from 'kysely';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
  /** Ids of the data sources whose contents alone are ranked, as texts; null: all. Only where `allowed` is null. */
  readonly sources: RawBuilder<readonly string[]> | null;
}

/** What the tables tell a ranking at its beginning. */
interface Told extends IndexState {
  /** Living contents of the tenant, and the lengths of all their texts and titles in terms. */
  readonly contents: number;
  readonly textLength: number;
  readonly titleLength: number;
  /** Languages other than the usual one that contents are or were indexed by. */
  readonly languages: readonly string[];
}

/** Numbers of contents are packed. */
interface StoredBeginning extends Told {
  readonly allowed: Buffer | null;
  readonly dead: Buffer;
  readonly shown: Buffer | null;
  readonly sources: readonly string[] | null;
}

/** What a ranking begins with. */
export interface Beginning extends Told {
  /** Numbers of the contents that are ranked, null for all; the dead never are. */
  readonly allowed: Float64Array | null;
  readonly dead: Float64Array;
  /** Of those that are shown, null for all that are ranked. */
  readonly shown: Float64Array | null;
}

/** @param contentsOf where data sources alone decide which contents are ranked */
export const unpacked = async (
  { allowed, dead, shown, sources, ...told }: StoredBeginning,
  contentsOf: (state: IndexState, sources: readonly string[]) => Promise<Float64Array>,
): Promise<Beginning> => ({
  ...told,
  allowed: sources === null ? allowed && unpackedNumbers(allowed) : await contentsOf(told, sources),
  dead: unpackedNumbers(dead),
  shown: shown && unpackedNumbers(shown),
});

/**
 * Numbers of the contents that have one of these in a column. One after the other, as there are seldom any: where one data
 * source has most contents, the planner would read all contents to compare them with nothing. `offset 0` keeps it from that.
 */
const contentsOf = (column: RawBuilder<unknown>, these: RawBuilder<readonly unknown[]>) => sql`
  select of_one.no from unnest(${these}) as one(id)
    cross join lateral (select c.no from read.content c where c.${column} = one.id offset 0) of_one`;

/** Null where the tenant has nothing indexed. */
export const beginning = async (
  trx: Sql,
  tenant: string,
  { allowed, shown, sources }: Candidates,
): Promise<StoredBeginning | null> => {
  const numbers = (which: RawBuilder<boolean> | null) =>
    which === null
      ? sql<null>`null`
      : sql<Buffer>`(select ${packedNumbers(sql`c.no`)} from read.content c where ${which})`;
  const dead = sql`(select ${packedNumbers(sql`d.no`)} from (
    select no from read.lexical_dead where tenant_no = t.no
    union all ${contentsOf(sql`data_source_id`, dataSourcesHiddenSinceView(tenant))}
    union all ${contentsOf(sql`source_no`, sourceTombstones(tenant))}) d)`;
  const { rows } = await sql<StoredBeginning>`
    select (select version from projection_version where view = 'catalog' and live) as version,
      t.no as tenant_no, t.contents::float8 as contents, t.text_length::float8 as text_length,
      t.title_length::float8 as title_length, t.languages,
      (select coalesce(json_agg(batch), '[]') from read.lexical_dead_batch where tenant_no = t.no) as dead_batches,
      (select coalesce(json_agg(json_build_object(
        'segment', s.segment, 'first_no', s.first_no, 'last_no', s.last_no) order by s.first_no), '[]')
        from read.lexical_segment s where s.tenant_no = t.no) as segments,
      ${numbers(allowed)} as allowed, ${allowed === null ? dead : sql`''::bytea`} as dead,
      ${numbers(shown)} as shown, ${sources ?? sql`null::text[]`} as sources
    from read.lexical_tenant t where t.tenant = ${tenant} and t.contents > 0
    ${allowed === null && shown === null ? keptPlan(trx) : sql``}`.execute(trx);
  return rows[0] ?? null;
};

interface BestContent {
  readonly no: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly language: string;
}

/**
 * What the feedback is read from. The array is selected, so that its length is not known to the planner: a plan for any
 * length is kept, where one for each would be made every time.
 *
 * @throws OutdatedState where one of them is gone since the state was read
 */
const feedbackContents = async (
  trx: Sql,
  { version }: IndexState,
  numbers: readonly number[],
): Promise<readonly BestContent[]> => {
  const { rows } = await sql<BestContent>`
    select c.no, s.title, x.heading_path as headings, x.text, coalesce(s.indexed ->> 'language', '') as language
    from unnest((select ${numbers}::bigint[])) with ordinality as b(no, place)
      join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    where ${isLive(version)}
    order by b.place ${keptPlan(trx)}`.execute(trx);
  if (rows.length < numbers.length && !trx.isTransaction) throw new OutdatedState();
  return rows;
};

/** Postings of one segment, by term. */
export type SegmentPostings = ReadonlyMap<string, Postings>;

/** The postings of these terms, segment by segment. */
export type ReadPostings = (
  trx: Sql,
  state: IndexState,
  terms: readonly string[],
) => Promise<readonly SegmentPostings[]>;

/** Keeps what it has unpacked. */
export const createReadPostings =
  (reader: SegmentReader, cache: PostingCache): ReadPostings =>
  async (trx, state, terms) => {
    const { segments } = state;
    retainState(cache, state);
    const known = segments.map((of) => cache.get(keyOf(state, of), terms));
    const wanted = known.map((of) => terms.filter((term) => !of.has(term)));
    if (wanted.every(({ length }) => length === 0)) return known;
    const [heads, found] = [await reader.heads(trx, state), await reader.entries(trx, state, wanted)];
    for (const [i, of] of segments.entries()) {
      // Another search that waited for the same may have unpacked it meanwhile.
      const read = cache.get(keyOf(state, of), wanted[i] ?? []);
      for (const [term, others] of read) known[i]?.set(term, others);
      for (const term of wanted[i]?.filter((one) => !read.has(one)) ?? []) {
        const entry = found[i]?.get(term) ?? null;
        const documents = heads[i]?.documents;
        const postings =
          entry === null || documents === undefined
            ? NO_POSTINGS
            : postingsOf(unpackPostings(entry.bytes, entry.from, entry.to, entry.df, documents), of);
        known[i]?.set(term, postings);
        cache.add(keyOf(state, of), term, postings);
      }
    }
    return known;
  };

/** A content that feedback is read from, and what it counts. */
export interface FeedbackContent {
  readonly no: number;
  readonly share: number;
}

/**
 * How often these contents have each term, added up by their shares; other ways to write a word do not count. @throws OutdatedState where
 * one of them is gone
 */
export type ReadFeedback = (
  trx: Sql,
  state: IndexState,
  contents: readonly FeedbackContent[],
) => Promise<ReadonlyMap<string, number>>;

export const createReadFeedback = (stems: Stems, budget: CacheBudget): ReadFeedback => {
  const cache = createSegmentCache<Counted>(budget, bytesOf);
  const count = async (trx: Sql, content: BestContent): Promise<Counted> => {
    const words = feedbackWords([content]);
    const terms = await stems(trx, words);
    const counts = termCounts(words.map(({ n }, i) => ({ n, terms: terms[i]?.slice(0, 1) ?? [] })));
    return { terms: [...counts.keys()], counts: Int32Array.from(counts.values()) };
  };
  return async (trx, state, contents) => {
    retainState(cache, state);
    const segmentOf = (no: number): string => {
      const segment = state.segments.find(({ firstNo, lastNo }) => no >= firstNo && no <= lastNo);
      return keyOf(state, segment ?? { segment: 0 });
    };
    const known = new Map(contents.map(({ no }) => [no, cache.get(segmentOf(no), [`${no}`]).get(`${no}`)]));
    const lacking = [...known].flatMap(([no, counted]) => (counted === undefined ? [no] : []));
    const read = lacking.length === 0 ? [] : await feedbackContents(trx, state, lacking);
    for (const content of read) {
      const counted = await count(trx, content);
      known.set(content.no, counted);
      cache.add(segmentOf(content.no), `${content.no}`, counted);
    }
    const sums = new Map<string, number>();
    for (const { no, share } of contents) {
      const { terms, counts } = known.get(no) ?? NO_COUNTS;
      for (let i = 0; i < terms.length; i++) {
        const term = terms[i] as string;
        sums.set(term, (sums.get(term) ?? 0) + share * (counts[i] as number));
      }
    }
    return sums;
  };
};

/** Columns, as there are thousands of such counts in memory. */
interface Counted {
  readonly terms: readonly string[];
  readonly counts: Int32Array;
}
const NO_COUNTS: Counted = { terms: [], counts: new Int32Array() };

/** What a content takes, and a term of it, about: its text is one that others have too. */
const [CONTENT_BYTES, TERM_BYTES] = [300, 12];
const bytesOf = ({ terms }: Counted): number => CONTENT_BYTES + TERM_BYTES * terms.length;

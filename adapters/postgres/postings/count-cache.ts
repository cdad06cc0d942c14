import type { Segment } from '../../../domain/ranking/postings.ts';
import {
  ID_BYTES,
  type CacheBudget,
  type SegmentCache,
  createSegmentCache,
  documentAt,
} from '../../../domain/ranking/segment-cache.ts';
import type { Counts } from '../../../domain/ranking/term-blocks.ts';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import type { Sql } from '../database-schema.ts';
import { readDeadTerms } from './dead-terms.ts';
import { type IndexState, keyOf, retainState } from './index-state.ts';
import type { SegmentHead, SegmentReader } from './segment-reader.ts';

const NONE: Counts = { df: 0, titleDf: 0, cf: 0 };
/** A term and its counts in a segment, about: most are in few of them, and share what says that it is in none. */
const ENTRY_BYTES = 120;

/** The living contents of a tenant that have each of these terms; of those that any has, in their order. */
export type ReadCounts = (
  trx: Sql,
  state: IndexState,
  terms: readonly string[],
) => Promise<ReadonlyMap<string, Counts>>;

/**
 * Counts of terms, added up over segments here, less those of the dead: neither a segment nor a batch of the dead ever
 * changes, so that the sums of one state do not either. @throws OutdatedState where one is gone
 */
export const createReadCounts = (reader: SegmentReader, budget: CacheBudget): ReadCounts => {
  const [parts, sums] = [
    createSegmentCache<Counts>(budget, () => ENTRY_BYTES),
    createSegmentCache<Counts>(budget, () => ENTRY_BYTES),
  ];
  return async (trx, state, terms) => {
    const key = keyOfState(state);
    retainState(sums, state, () => [key]);
    retainState(parts, state, keysOfParts);
    const known = sums.get(key, terms);
    const lacking = terms.filter((term) => !known.has(term));
    const added = lacking.length === 0 ? NOTHING : await addedUp(trx, reader, parts, state, lacking);
    for (const [term, of] of added) sums.add(key, term, of);
    const found = new Map<string, Counts>();
    for (const term of terms) {
      const of = known.get(term) ?? added.get(term) ?? NONE;
      if (of.df > 0) found.set(term, of);
    }
    return found;
  };
};

const NOTHING: ReadonlyMap<string, Counts> = new Map();

const keysOfParts = (state: IndexState): readonly string[] => [
  ...state.segments.map((of) => keyOf(state, of)),
  ...state.deadBatches.map((batch) => keyOfDead(state, batch)),
];
const keyOfDead = ({ version, tenantNo }: IndexState, batch: number): string =>
  `${version} ${tenantNo} dead ${batch}`;

/** Under which the sums of a state are kept: what it is added up from. */
const keyOfState = ({ version, tenantNo, segments, deadBatches }: IndexState): string =>
  `${version} ${tenantNo} ${segments.map(({ segment }) => segment).join()} ${deadBatches.join()}`;

const addedUp = async (
  trx: Sql,
  reader: SegmentReader,
  parts: SegmentCache<Counts>,
  state: IndexState,
  terms: readonly string[],
): Promise<ReadonlyMap<string, Counts>> => {
  const bySegment = await ofSegments(trx, reader, parts, state, terms);
  const dead = await ofBatches(trx, parts, state, terms);
  return new Map(
    terms.map((term) => {
      let { df, titleDf, cf } = NONE;
      for (const of of bySegment) {
        const counts = of.get(term) ?? NONE;
        df += counts.df;
        titleDf += counts.titleDf;
        cf += counts.cf;
      }
      for (const of of dead) {
        const counts = of.get(term) ?? NONE;
        df -= counts.df;
        titleDf -= counts.titleDf;
        cf -= counts.cf;
      }
      return [term, df > 0 ? { df, titleDf, cf } : NONE];
    }),
  );
};

/** Of these terms in each segment. */
const ofSegments = async (
  trx: Sql,
  reader: SegmentReader,
  cache: SegmentCache<Counts>,
  state: IndexState,
  terms: readonly string[],
): Promise<readonly ReadonlyMap<string, Counts>[]> => {
  const known = state.segments.map((of) => cache.get(keyOf(state, of), terms));
  const wanted = known.map((of) => terms.filter((term) => !of.has(term)));
  if (wanted.every(({ length }) => length === 0)) return known;
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

/** Of these terms in each batch of the dead; what is not in memory is read in one statement. */
const ofBatches = async (
  trx: Sql,
  cache: SegmentCache<Counts>,
  state: IndexState,
  terms: readonly string[],
): Promise<readonly ReadonlyMap<string, Counts>[]> => {
  const keys = state.deadBatches.map((batch) => keyOfDead(state, batch));
  const known = keys.map((key) => cache.get(key, terms));
  const wanted = terms.filter((term) => known.some((of) => !of.has(term)));
  if (wanted.length === 0) return known;
  for (const [i, found] of (await readDeadTerms(trx, state, wanted)).entries()) {
    for (const term of wanted) {
      const of = found.get(term) ?? NONE;
      known[i]?.set(term, of);
      cache.add(keys[i] ?? '', term, of);
    }
  }
  return known;
};

/** UUIDs as bytes, one after the other. */
export const packIds = (ids: readonly string[]): Uint8Array =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex');

const idAt = (ids: Uint8Array, place: number): string => {
  const hex = Buffer.from(ids.buffer, ids.byteOffset + place * ID_BYTES, ID_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

export interface Identified {
  readonly no: number;
  readonly contentId: string;
  readonly score: number;
}

/** With the ids of their contents, best first, equal scores by id. @param heads of these segments */
export const identified = (
  { nos, scores }: TopHits,
  segments: readonly Segment[],
  heads: readonly SegmentHead[],
): readonly Identified[] =>
  nos
    .flatMap((no, i): readonly Identified[] => {
      const of = segments.findIndex(({ firstNo, lastNo }) => no >= firstNo && no <= lastNo);
      const [segment, head] = [segments[of], heads[of]];
      if (segment === undefined || head === undefined) return [];
      const place = documentAt(head.documents, no - segment.firstNo);
      return place < 0 ? [] : [{ no, contentId: idAt(head.documents.ids, place), score: scores[i] ?? 0 }];
    })
    .toSorted((a, b) => b.score - a.score || (a.contentId < b.contentId ? -1 : 1));

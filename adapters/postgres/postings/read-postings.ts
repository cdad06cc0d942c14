import type { PostingCache } from '../../../domain/ranking/posting-cache.ts';
import { unpackPostings } from '../../../domain/ranking/packed-postings.ts';
import { NO_POSTINGS, type Postings, postingsOf } from '../../../domain/ranking/postings.ts';
import type { Sql } from '../database-schema.ts';
import { type IndexState, keyOf } from './index-state.ts';
import type { SegmentReader } from './segment-reader.ts';

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
    const cached = segments.map((of) => cache.of(keyOf(state, of)));
    if (cached.every((of) => terms.every((term) => of.has(term)))) return cached;
    // Copies: to add some to the memory may take others out of it.
    const known = cached.map(
      (of) => new Map(terms.flatMap((term) => (of.has(term) ? [[term, of.get(term) ?? NO_POSTINGS]] : []))),
    );
    const wanted = known.map((of) => terms.filter((term) => !of.has(term)));
    const [heads, found] = [await reader.heads(trx, state), await reader.entries(trx, state, wanted)];
    for (const [i, of] of segments.entries()) {
      const read = cache.of(keyOf(state, of));
      for (const term of wanted[i] ?? []) {
        const others = read.get(term);
        if (others !== undefined) {
          // Another search that waited for the same has unpacked it meanwhile.
          known[i]?.set(term, others);
          continue;
        }
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

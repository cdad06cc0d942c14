import { termCounts } from '../../../domain/ranking/asked-terms.ts';
import { feedbackWords } from '../../../domain/ranking/vocabulary.ts';
import type { Sql } from '../database-schema.ts';
import type { IndexState } from './index-state.ts';
import { type BestContent, feedbackContents } from './ranking-queries.ts';
import type { Stems } from './stems.ts';

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

/** Columns, as there are thousands of such counts in memory. */
interface Counted {
  readonly terms: readonly string[];
  readonly counts: Int32Array;
}

/** What a content takes, and a term of it, about: its text is one that others have too. */
const [CONTENT_BYTES, TERM_BYTES] = [300, 12];

/**
 * Keeps the counts of contents that were among the best before, those last asked for, up to so many bytes. Under its
 * number, a content never changes its words.
 */
export const createReadFeedback = (stems: Stems, mostBytes = 16 * 1024 ** 2): ReadFeedback => {
  const kept = new Map<string, Counted>();
  let size = 0;
  const forget = (key: string): void => {
    const known = kept.get(key);
    if (known !== undefined) size -= bytesOf(known);
    kept.delete(key);
  };
  const keep = (key: string, counted: Counted): void => {
    forget(key);
    kept.set(key, counted);
    size += bytesOf(counted);
    for (const oldest of kept.keys()) {
      if (size <= mostBytes) break;
      forget(oldest);
    }
  };
  const count = async (trx: Sql, content: BestContent): Promise<Counted> => {
    const words = feedbackWords([content]);
    const terms = await stems(trx, words);
    const counts = termCounts(words.map(({ n }, i) => ({ n, terms: terms[i]?.slice(0, 1) ?? [] })));
    return { terms: [...counts.keys()], counts: Int32Array.from(counts.values()) };
  };
  return async (trx, state, contents) => {
    const keyOf = (no: number): string => `${state.version} ${no}`;
    const known = new Map(contents.map(({ no }) => [no, kept.get(keyOf(no))]));
    const lacking = [...known].flatMap(([no, counted]) => (counted === undefined ? [no] : []));
    const read = lacking.length === 0 ? [] : await feedbackContents(trx, state, lacking);
    for (const content of read) known.set(content.no, await count(trx, content));
    const sums = new Map<string, number>();
    for (const { no, share } of contents) {
      const counted = known.get(no);
      if (counted === undefined) continue;
      keep(keyOf(no), counted);
      const { terms, counts } = counted;
      for (let i = 0; i < terms.length; i++) {
        const term = terms[i] as string;
        sums.set(term, (sums.get(term) ?? 0) + share * (counts[i] as number));
      }
    }
    return sums;
  };
};

const bytesOf = ({ terms }: Counted): number => CONTENT_BYTES + TERM_BYTES * terms.length;

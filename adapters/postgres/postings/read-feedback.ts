import { termCounts } from '../../../domain/ranking/asked-terms.ts';
import { feedbackWords } from '../../../domain/ranking/vocabulary.ts';
import type { Sql } from '../sql.ts';
import type { IndexState } from './index-state.ts';
import { type BestContent, feedbackContents } from './ranking-queries.ts';
import type { Stems } from './stems.ts';

/**
 * How often these contents have each term, added up; other ways to write a word do not count. @throws OutdatedState where
 * one of them is gone
 */
export type ReadFeedback = (
  trx: Sql,
  state: IndexState,
  numbers: readonly number[],
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
  return async (trx, state, numbers) => {
    const keyOf = (no: number): string => `${state.version} ${no}`;
    const known = numbers.map((no) => kept.get(keyOf(no)));
    const lacking = numbers.filter((_, i) => known[i] === undefined);
    const read = lacking.length === 0 ? [] : await feedbackContents(trx, state, lacking);
    for (const content of read) known.push(await count(trx, content));
    const all = known.filter((counted) => counted !== undefined);
    for (const [i, no] of numbers.entries()) if (known[i] !== undefined) keep(keyOf(no), known[i]);
    for (const [i, { no }] of read.entries()) keep(keyOf(no), known[numbers.length + i] as Counted);
    const sums = new Map<string, number>();
    for (const { terms, counts } of all)
      for (let i = 0; i < terms.length; i++) {
        const term = terms[i] as string;
        sums.set(term, (sums.get(term) ?? 0) + (counts[i] as number));
      }
    return sums;
  };
};

const bytesOf = ({ terms }: Counted): number => CONTENT_BYTES + TERM_BYTES * terms.length;

import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** The dictionary by which words become terms, in documents and in queries. */
export const DICTIONARY = sql.raw(`'pg_catalog.english_stem'`);

/** Terms of words; the empty text for a stop word. */
export type Stems = (trx: Sql, words: readonly string[]) => Promise<readonly string[]>;

/**
 * Asks the server's dictionary, and remembers the answers for the words of a language rather than for its texts:
 * stemming each word once is what makes indexing fast. The memory is emptied when it holds `capacity` words.
 */
export const createStems = (capacity = 100_000): Stems => {
  const known = new Map<string, string>();
  return async (trx, words) => {
    if (known.size > capacity) known.clear();
    const unknown = words.filter((word) => !known.has(word));
    if (unknown.length > 0) {
      const terms = await ask(trx, unknown);
      for (const [i, word] of unknown.entries()) known.set(word, terms[i] ?? '');
    }
    return words.map((word) => known.get(word) ?? '');
  };
};

/** One text each way: words hold no line breaks, and thousands of array items would cost more than the stemming. */
const ask = async (trx: Sql, words: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ terms: string }>`
    select string_agg(coalesce((ts_lexize(${DICTIONARY}, word))[1], ''), E'\n' order by place) as terms
    from string_to_table(${words.join('\n')}, E'\n') with ordinality as w(word, place)`.execute(trx);
  return rows[0]?.terms.split('\n') ?? [];
};

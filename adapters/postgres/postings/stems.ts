import { sql } from 'kysely';
import {
  foldedTerms,
  stemmedForms,
  type WordOfLanguage,
  type WordTerms,
} from '../../../domain/ranking/word-terms.ts';
import type { Sql } from '../sql.ts';
import { dictionaryOf } from './dictionaries.ts';

/** Terms of words, in documents and in queries. */
export type Stems = (trx: Sql, words: readonly WordOfLanguage[]) => Promise<readonly WordTerms[]>;

/**
 * Asks the server's dictionaries, and remembers the answers for the words of a language rather than for its texts:
 * stemming each word once is what makes indexing fast. The memory is emptied when it holds `capacity` words.
 */
export const createStems = (capacity = 200_000): Stems => {
  const known = new Map<string, Map<string, WordTerms>>();
  return async (trx, words) => {
    const size = known.values().reduce((sum, of) => sum + of.size, 0);
    if (size > capacity) known.clear();
    const memoryOf = (dictionary: string): Map<string, WordTerms> =>
      known.get(dictionary) ?? known.set(dictionary, new Map()).get(dictionary)!;
    const memories = new Map<string, ReadonlyMap<string, WordTerms>>();
    for (const [language, ofLanguage] of Map.groupBy(words, (of) => of.language)) {
      const memory = memoryOf(dictionaryOf(language));
      memories.set(language, memory);
      const unknown = new Set<string>();
      for (const { word } of ofLanguage) if (!memory.has(word)) unknown.add(word);
      await learn(trx, dictionaryOf(language), [...unknown], memory);
    }
    return words.map(({ word, language }) => memories.get(language)?.get(word) ?? []);
  };
};

const learn = async (
  trx: Sql,
  dictionary: string,
  words: readonly string[],
  memory: Map<string, WordTerms>,
): Promise<void> => {
  if (words.length === 0) return;
  const forms = words.map(stemmedForms);
  const stems = (await ask(trx, dictionary, forms.flat()))[Symbol.iterator]();
  for (const [i, word] of words.entries())
    memory.set(word, foldedTerms((forms[i] ?? []).map(() => stems.next().value ?? '')));
};

/** One text each way: words hold no line breaks, and thousands of array items would cost more than the stemming. */
const ask = async (trx: Sql, dictionary: string, words: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ terms: string }>`
    select string_agg(coalesce((ts_lexize(${`pg_catalog.${dictionary}`}::regdictionary, word))[1], ''), E'\n' order by place)
      as terms
    from string_to_table(${words.join('\n')}, E'\n') with ordinality as w(word, place)`.execute(trx);
  return rows[0]?.terms.split('\n') ?? [];
};

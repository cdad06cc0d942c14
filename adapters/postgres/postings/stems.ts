import {
  type WordOfLanguage,
  type WordTerms,
  foldedTerms,
  stemmedForms,
} from '../../../domain/ranking/word-terms.ts';
import type { Sql } from '../database-schema.ts';
import { dictionaryOf } from './vocabularies.ts';
import { sql } from 'kysely';

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
    const memories = new Map<string, Map<string, WordTerms>>();
    const memoryOf = (language: string): Map<string, WordTerms> => {
      const dictionary = dictionaryOf(language);
      const memory = known.get(dictionary) ?? new Map<string, WordTerms>();
      known.set(dictionary, memory);
      memories.set(language, memory);
      return memory;
    };
    // Several languages may have one dictionary, and with it one memory.
    const unknown = new Map<
      Map<string, WordTerms>,
      { readonly dictionary: string; readonly words: Set<string> }
    >();
    let last: { readonly language: string; readonly memory: Map<string, WordTerms> } | null = null;
    const found = words.map(({ word, language }) => {
      // Words of one language follow each other.
      if (last?.language !== language)
        last = { language, memory: memories.get(language) ?? memoryOf(language) };
      const { memory } = last;
      const terms = memory.get(word);
      if (terms === undefined) {
        const others = unknown.get(memory) ?? { dictionary: dictionaryOf(language), words: new Set() };
        unknown.set(memory, others);
        others.words.add(word);
      }
      return terms;
    });
    if (unknown.size === 0) return found as readonly WordTerms[];
    for (const [memory, others] of unknown) await learn(trx, others.dictionary, [...others.words], memory);
    return words.map(({ word, language }, i) => found[i] ?? memories.get(language)?.get(word) ?? []);
  };
};

const learn = async (
  trx: Sql,
  dictionary: string,
  words: readonly string[],
  memory: Map<string, WordTerms>,
): Promise<void> => {
  if (words.length === 0) return;
  // Words of a text of their own: each would else keep the text alive that it was cut from.
  const own = words.join('\n').split('\n');
  const forms = own.map(stemmedForms);
  const stems = (await ask(trx, dictionary, forms.flat()))[Symbol.iterator]();
  for (const [i, word] of own.entries())
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

import type { AskedWord } from '../../../domain/ranking/asked-terms.ts';
import { type Suggestion, nearWords } from '../../../domain/ranking/near-words.ts';
import { bestSuggestion, meantFor, nearestOf, respelled } from '../../../domain/ranking/spelling.ts';
import {
  type WordOfLanguage,
  type WordTerms,
  foldedTerms,
  stemmedForms,
} from '../../../domain/ranking/word-terms.ts';
import type { IsWord } from '../../../domain/ranking/words-of-language.ts';
import { unpackedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import type { ReadCounts } from './count-cache.ts';
import type { Beginning, ReadPostings } from './ranking-queries.ts';
import { createVocabularies, dictionaryOf } from './vocabularies.ts';
import { sql } from 'kysely';

/** Corrects words of a query that nothing contains. */
export type CorrectSpelling = (
  trx: Sql,
  begun: Beginning,
  query: string,
  unknown: readonly AskedWord[],
) => Promise<string | null>;

/**
 * By the words of the tenant's segments, which never change and are kept in memory. Only what the caller may see is
 * suggested. Null where nothing is near.
 *
 * @param wordsOfLanguage asked for where a word is unknown
 */
export const createSpelling = (
  readPostings: ReadPostings,
  readCounts: ReadCounts,
  wordsOfLanguage: () => Promise<IsWord>,
): CorrectSpelling => {
  const readVocabularies = createVocabularies();
  return async (trx, begun, query, unknown) => {
    if (unknown.length === 0) return null;
    const isWord = await wordsOfLanguage();
    const near = unknown.map((): Suggestion[] => []);
    await readVocabularies(trx, begun, (words) => {
      for (const [i, word] of unknown.entries())
        near[i] = [
          ...nearestOf([...(near[i] ?? []), ...meantFor(word.word, nearWords(word, words), isWord)]),
        ];
    });
    const terms = [...new Set(near.flat().map(({ term }) => term))];
    if (terms.length === 0) return null;
    const counts = await readCounts(trx, begun, terms);
    const seen = await seenTerms(trx, readPostings, begun, [...counts.keys()]);
    const corrections = unknown.flatMap(({ word }, i): readonly (readonly [string, string])[] => {
      const best = bestSuggestion(word, near[i] ?? [], (term) =>
        seen.has(term) ? (counts.get(term)?.df ?? 0) : 0,
      );
      return best === null ? [] : [[word, best.word]];
    });
    return corrections.length === 0 ? null : respelled(query, new Map(corrections));
  };
};

/** Of these terms, those that any content has which is ranked. */
const seenTerms = async (
  trx: Sql,
  readPostings: ReadPostings,
  begun: Beginning,
  terms: readonly string[],
): Promise<ReadonlySet<string>> => {
  const allowed = begun.allowed === null ? null : new Set(unpackedNumbers(begun.allowed));
  const dead = new Set(unpackedNumbers(begun.dead));
  const postings = await readPostings(trx, begun, terms);
  return new Set(
    terms.filter((term) =>
      begun.segments.some(({ firstNo }, i) =>
        postings[i]?.get(term)?.offsets.some((offset) => {
          const no = firstNo + offset;
          return allowed === null ? !dead.has(no) : allowed.has(no);
        }),
      ),
    ),
  );
};

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

import type { AskedWord } from '../../../domain/ranking/asked-terms.ts';
import { type Suggestion, nearWords } from '../../../domain/ranking/near-words.ts';
import type { CacheBudget } from '../../../domain/ranking/segment-cache.ts';
import { bestSuggestion, meantFor, nearestOf, respelled } from '../../../domain/ranking/spelling.ts';
import type { IsWord } from '../../../domain/ranking/words-of-language.ts';
import type { Sql } from '../database-schema.ts';
import type { ReadCounts } from './count-cache.ts';
import type { Beginning, ReadPostings } from './ranking-queries.ts';
import { createVocabularies } from './vocabularies.ts';

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
  budget: CacheBudget,
  wordsOfLanguage: () => Promise<IsWord>,
): CorrectSpelling => {
  const readVocabularies = createVocabularies(budget);
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
  const allowed = begun.allowed && new Set(begun.allowed);
  const dead = new Set(begun.dead);
  const postings = await readPostings(trx, begun, terms);
  return new Set(
    terms.filter((term) =>
      begun.segments.some(({ firstNo }, i) =>
        postings[i]?.get(term)?.offsets.some((offset) => {
          const no = firstNo + offset;
          return !dead.has(no) && (allowed === null || allowed.has(no));
        }),
      ),
    ),
  );
};

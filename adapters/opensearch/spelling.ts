import type { AskedWord } from '../../domain/ranking/asked-terms.ts';
import { nearWords, spelledWords } from '../../domain/ranking/near-words.ts';
import { bestSuggestion, meantFor, nearestOf, respelled } from '../../domain/ranking/spelling.ts';
import type { IsWord } from '../../domain/ranking/words-of-language.ts';

export interface SpellingOptions {
  /** Words of a language that nobody's text need have: they are not misspelt. None unless given. */
  readonly wordsOfLanguage?: () => Promise<IsWord>;
}

interface Spelling {
  /** How many contents that the scope sees have each word in any of its forms. */
  readonly countSeen: (words: readonly string[]) => Promise<readonly number[]>;
  /** Words of the index that differ in two letters at most, for each word. Other tenants' words are among them. */
  readonly suggest: (words: readonly string[]) => Promise<readonly (readonly string[])[]>;
}

/** The query with words that somebody may see in place of those that nothing contains; null where none is near. */
export const createCorrectSpelling =
  ({ wordsOfLanguage = async () => () => false }: SpellingOptions) =>
  async (
    query: string,
    unknown: readonly AskedWord[],
    { countSeen, suggest }: Spelling,
  ): Promise<string | null> => {
    if (unknown.length === 0) return null;
    const isWord = await wordsOfLanguage();
    const suggested = await suggest(unknown.map(({ word }) => word));
    const near = unknown.map((word, i) =>
      nearestOf(meantFor(word.word, nearWords(word, spelledWords((suggested[i] ?? []).join('\n'))), isWord)),
    );
    const candidates = [...new Set(near.flat().map(({ word }) => word))];
    if (candidates.length === 0) return null;
    const counts = await countSeen(candidates);
    const seen = new Map(candidates.map((word, i) => [word, counts[i] ?? 0]));
    const corrections = unknown.flatMap(({ word }, i): readonly (readonly [string, string])[] => {
      const best = bestSuggestion(word, near[i]!, (other) => seen.get(other) ?? 0);
      return best === null ? [] : [[word, best.word]];
    });
    return corrections.length === 0 ? null : respelled(query, new Map(corrections));
  };

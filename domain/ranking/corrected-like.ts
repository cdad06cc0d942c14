import { wordsOf } from '../shared/words.ts';
import { respelled } from './spelling.ts';

const RUN = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * A text that was part of a query, with those of its words spelled otherwise that were in the query; as it stands where the
 * two queries do not go together word by word.
 *
 * @param corrected the query as `respelled` has it
 */
export const correctedLike = (text: string, query: string, corrected: string): string => {
  const typed = query.match(RUN) ?? [];
  const meant = corrected.match(RUN) ?? [];
  if (typed.length !== meant.length) return text;
  const words = new Map<string, string>();
  for (const [i, run] of typed.entries()) {
    const [word = '', ...more] = wordsOf(run);
    if (more.length === 0 && run !== meant[i]) words.set(word, meant[i]!);
  }
  return respelled(text, words);
};

import { namedWords, wordsOf } from '../shared/words.ts';
import { respelled } from './spelling.ts';

/** Who types capitals alone may mean any word. */
const SMALL = /\p{Ll}/u;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * A text that was part of a query, with those of its words spelled otherwise that were in the query; as it stands where the
 * two queries do not go together word by word. What it calls by name stays too: a search may take `PowerDNS` for powers, but
 * nobody asked for these.
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
  for (const name of namedWords(text).filter((one) => SMALL.test(one)))
    for (const word of wordsOf(name)) words.delete(word);
  return respelled(text, words);
};

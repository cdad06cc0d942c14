/** Hits among which those are looked for that have it as it was typed: the first so many. */
const TYPED_OF = 30;
/** What it counts beside a score that a hit has all of a query's signed words as they were typed. */
const WEIGHT = 0.4;
/** Signed words of a query that are looked for. */
const MOST = 4;

/**
 * A word behind the sign that a language marks its names with: `\relative`, `@param`, `$PATH`, `-x`. A hyphen before
 * a longer word belongs to a compound, as in `two -dimensional`.
 */
const SIGNED =
  /(?<![\p{L}\p{M}\p{N}_\\@$%#&/:-])(?:(?:[\\@$%#&]|--)\p{L}[\p{L}\p{M}\p{N}_-]*|-\p{L}(?![\p{L}\p{M}\p{N}_-]))/gu;
const GOES_ON = /^[\p{L}\p{M}\p{N}_]/u;

/** Words of a query with the signs that they are typed with. */
export const signedWords = (query: string): readonly string[] =>
  [...new Set(query.match(SIGNED))].slice(0, MOST);

/**
 * Who types a sign before a word means the name of a command, and not the word: terms have no signs, so `\flat` finds what is
 * flat. Of the first hits those gain that have it as it was typed.
 *
 * @param hits best first, their scores from 0 to 1
 * @returns what the hits are ordered by, in the order given: their scores, those of raised ones above 1 where that puts them first
 */
export const withSigns = (
  query: string,
  hits: readonly { readonly text: string; readonly score: number }[],
): readonly number[] => {
  const signed = signedWords(query);
  if (signed.length === 0) return hits.map(({ score }) => score);
  const first = hits.slice(0, TYPED_OF);
  const raised = first.map(() => 0);
  for (const word of signed) {
    const having = first.map(({ text }) => hasWord(text, word));
    for (const [i, has] of having.entries())
      if (has) raised[i] = (raised[i] as number) + WEIGHT / signed.length;
  }
  return hits.map(({ score }, i) => score + (raised[i] ?? 0));
};

/** Whether a text has a signed word as it was typed, and not as the beginning of another. */
export const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!GOES_ON.test(text.slice(at + word.length, at + word.length + 2))) return true;
  return false;
};

import { countWords, firstCharacters, wordsOf } from '../shared/words.ts';

/** Places in which a source has few: what is seen without scrolling. */
const FIRST = 10;
/** Contents of a source in these. */
const MOST = 2;

/** What the places depend on. */
export interface Placed {
  readonly sourceId: string;
  readonly text: string;
}

/**
 * Pages, not passages: of contents that are word for word the same only the best, and at most two of a source among the
 * first ten, as long as others can take the places. The rest follow in their order.
 *
 * @param best best first
 */
export const collapse = <T>(best: readonly T[], placed: (one: T) => Placed): readonly T[] => {
  const seen = new Set<string>();
  const texts = new Set<string>();
  const beginnings = beginningsOf(best.map((one) => placed(one).text));
  const counts = countWords(beginnings);
  const before = new Map<string, number>();
  const first: T[] = [];
  const rest: T[] = [];
  for (const [i, one] of best.entries()) {
    const { sourceId, text } = placed(one);
    // Texts that begin differently are not the same.
    if ((counts.get(beginnings[i] ?? '') ?? 0) > 1) {
      // Pages that include the same passage have the same text of it.
      if (texts.has(text)) continue;
      texts.add(text);
      const words = wordsOf(text).join(' ') || text;
      if (seen.has(words)) continue;
      seen.add(words);
    }
    const count = before.get(sourceId) ?? 0;
    const fits = first.length < FIRST && count < MOST;
    if (fits) before.set(sourceId, count + 1);
    (fits ? first : rest).push(one);
  }
  return [...first, ...rest];
};

/** How many characters of words make a beginning: passages of one manual begin alike. Most texts differ sooner. */
const CHARACTERS = 64;
const FEW = 12;

/** Equal for equal words. */
const beginningsOf = (texts: readonly string[]): readonly string[] => {
  const few = texts.map((text) => firstCharacters(text, FEW));
  const counts = countWords(few);
  return texts.map((text, i) => {
    const beginning = few[i] as string;
    return (counts.get(beginning) ?? 0) > 1 ? firstCharacters(text, CHARACTERS) : beginning;
  });
};

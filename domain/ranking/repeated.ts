/** Hits among which repeated texts step back. */
export const REACH = 30;
/** Pages that have a piece already, so that one more repeats it: a page and an overview may well say the same. */
const PAGES = 2;
/** Of a text, what has to be repeated, by its length. */
const SHARE = 0.6;
/** Characters of a piece: headings and names of options stand in many places. */
const SHORTEST = 20;

/** A text in its pieces, such as sentences, and the page that it is of. */
export interface Pieces {
  readonly page: string;
  readonly pieces: readonly { readonly text: string }[];
}

/**
 * Answers for one hit after the other whether most of its text stands in two other pages before it: what a manual
 * includes in many pages says little about which of them is meant.
 */
export const repeatedIn = <T>(piecesOf: (hit: T) => Pieces): ((hit: T) => boolean) => {
  const pagesWith = new Map<string, string | Set<string>>();
  return (hit) => {
    const { page, pieces } = piecesOf(hit);
    let [all, again] = [0, 0];
    for (const { text } of pieces) {
      if (text.length < SHORTEST) continue;
      all += text.length;
      const pages = pagesWith.get(text);
      // Most pieces are of one page.
      if (pages === undefined) pagesWith.set(text, page);
      else if (typeof pages !== 'string') {
        if (pages.size >= PAGES && !pages.has(page)) again += text.length;
        pages.add(page);
      } else if (pages !== page) pagesWith.set(text, new Set([pages, page]));
    }
    return all > 0 && again >= SHARE * all;
  };
};

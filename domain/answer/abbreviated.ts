/** What ends in a full stop without ending a sentence: titles, initials, references. Not complete, and cannot be. */
const ABBREVIATED =
  /(?:^|[\s([])(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nos|Fig|Figs|Eq|Sec|vs|al|approx|ca|Inc|Ltd|Jr|Sr|e\.g|i\.e|cf|viz|resp|vol|pp|eds?|[Oo]p|[A-Z])\.\s*$/;
/** The same before a number alone: `p. 3`. */
const ABBREVIATED_BEFORE_NUMBER = /(?:^|[\s([])(?:p|ch|chap|art|par|para|vers?)\.\s*$/i;

/**
 * Whether a sentence goes on behind what looks like its end.
 *
 * @param ending its last dozen characters
 * @param next the two characters behind it
 */
export const isAbbreviated = (ending: string, next: string): boolean =>
  next.startsWith(' ') &&
  (ABBREVIATED.test(ending) || (/^ \d/.test(next) && ABBREVIATED_BEFORE_NUMBER.test(ending)));

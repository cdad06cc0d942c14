/**
 * What a line ends in that is the term of a definition, such as the name of a setting: generators of manuals put it there, and
 * the reader of HTML where they do not. Up to the next such line, all that follows defines the term.
 */
export const TERM_SIGN = ' ¶';

/** The paragraph behind a term, or several, that an earlier piece of the text has: what follows goes on with the definition. */
export const GOES_ON = '…';

/** Whether a paragraph is a term, or several in lines. */
export const isTerm = (paragraph: string): boolean => paragraph.trimEnd().endsWith(TERM_SIGN);

/** Whether a text has a term. */
export const hasTerm = (text: string): boolean => text.includes(`${TERM_SIGN}\n`) || isTerm(text);

export const withoutSign = (term: string): string =>
  isTerm(term) ? term.trimEnd().slice(0, -TERM_SIGN.length) : term;

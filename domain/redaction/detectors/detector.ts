/** A stretch of a text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds one kind of thing in a text, in time linear in its length.
 *
 * Detection is local, so that a text can be looked through piece by piece: whether something begins at an offset
 * depends on at most `LOOK_BEHIND` characters before it and, from it on, on what lies up to `settledUpTo`.
 */
export interface Detector {
  /** Everything that begins at or after `from` and does not overlap, in order; the text is taken to end where it ends. */
  readonly find: (text: string, from: number) => readonly Span[];
  /**
   * For a text that may go on: what begins before this offset is as `find` says, whatever follows. The text from there
   * on is what has to be held back; it is bounded as each detector says.
   */
  readonly settledUpTo: (text: string) => number;
}

/**
 * Stands for each character of a replacement that is in a text already (a form feed, white space to every pattern): a
 * text that was redacted is not redacted again for what was put into it. What stood there before is not known, so that
 * a detector which looks at its neighbours takes it for what forbids a match.
 */
export const MASK = '\f';

/** Characters before an offset that a detector may look at: 200, each with the invisible ones that `folded` skips. */
export const LOOK_BEHIND = 1_024;

const WORD = /[\p{L}\p{N}_]/u;

/** Whether a word goes on over this offset: there nothing begins and nothing ends. */
export const isInsideWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));

/** Where the run of these characters at the end of a text begins, looking back over at most `most` of them. */
export const tailOf = (text: string, isPart: (char: string) => boolean, most: number): number => {
  let start = text.length;
  while (start > 0 && text.length - start < most && isPart(text.charAt(start - 1))) start -= 1;
  return start;
};

/** The first offset in `from..to` whose character passes, or `to`. */
export const firstOf = (
  text: string,
  from: number,
  to: number,
  passes: (char: string) => boolean,
): number => {
  let at = from;
  while (at < to && !passes(text.charAt(at))) at += 1;
  return at;
};

export const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;

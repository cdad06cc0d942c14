import bidiFactory from 'bidi-js';

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

// Its types have the function below `default`, which it is itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A line is written in the direction of its words if so many of them have it, otherwise in that of its page. */
const CLEAR = 2 / 3;

/**
 * The text of a line in reading order, by the Unicode Bidirectional Algorithm (UAX 9), which it undoes. Letters in the
 * shape that they have within a word become plain letters, and strokes that only widen a word are left out.
 *
 * @param pieces glyphs from left to right as they are seen, spaces included; a ligature is one
 * @param page the text of the page, in any order
 */
export const inWrittenOrder = (pieces: readonly string[], page: string): string => {
  const line = pieces.join('');
  const share = shareOf(line);
  const isRtl = share >= CLEAR || (share > 1 - CLEAR && shareOf(page) > 0.5);
  // A line that is read from the right is turned first: what remains to be turned back are its numbers and Latin words.
  const turned = isRtl ? pieces.toReversed() : pieces;
  const signs = isRtl ? signsOf(pieces).toReversed() : signsOf(pieces);
  // Programs write a bracket as it is meant, or as it is seen in a line from the right.
  const meant = turnedBack(turned, signs, isRtl);
  if (isPaired(meant)) return plain(meant);
  const seen = turnedBack(turned.map(mirrored), isRtl ? signs.map(mirrored) : signs, isRtl, turned);
  return plain(isPaired(seen) ? seen : meant);
};

/** The pieces in the order that the algorithm has for their signs. @param ltr the pieces that are read from the left */
const turnedBack = (
  pieces: readonly string[],
  signs: readonly string[],
  isRtl: boolean,
  ltr = pieces,
): string => {
  const line = signs.join('');
  const levels = bidi.getEmbeddingLevels(line, isRtl ? 'rtl' : 'ltr');
  const order = bidi.getReorderedIndices(line, levels);
  if (isRtl) order.reverse();
  return order.map((index) => (levels.levels[index]! % 2 === 1 ? pieces : ltr)[index]!).join('');
};

const mirrored = (piece: string): string => bidi.getMirroredCharacter(piece) ?? piece;

const LETTER = /\p{L}/u;

/** The share of words that are written from right to left. */
const shareOf = (text: string): number => {
  const words = text.split(/\s+/).filter((word) => LETTER.test(word));
  return words.filter(hasRightToLeft).length / Math.max(1, words.length);
};

/** A sign for each piece. A number behind a Latin word is a part of it, as in the name of a version. */
const signsOf = (pieces: readonly string[]): readonly string[] => {
  let isLatin = false;
  return pieces.map(signOf).map((sign) => {
    if (LETTER.test(sign)) isLatin = !hasRightToLeft(sign);
    return isLatin && /\p{Nd}/u.test(sign) ? 'a' : sign;
  });
};

/** One UTF-16 unit with the direction of the piece. */
const signOf = (piece: string): string => {
  if (piece.length === 1) return piece;
  const letter = LETTER.exec(piece)?.[0] ?? piece.charAt(0);
  return letter.length === 1 ? letter : hasRightToLeft(letter) ? 'א' : 'a';
};

const isPaired = (text: string): boolean => {
  const open: string[] = [];
  for (const character of text) {
    const opening = bidi.closingToOpeningBracket(character);
    if (bidi.openingToClosingBracket(character) !== null) open.push(character);
    else if (opening !== null && open.pop() !== opening) return false;
  }
  return open.length === 0;
};

const plain = (text: string): string =>
  text
    .replaceAll(/[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]/g, (form) => form.normalize('NFKC').trim())
    .replaceAll(/(?<=\p{L}\p{M}*)\u0640+(?=\p{M}*\p{L})/gu, '')
    .normalize('NFC');

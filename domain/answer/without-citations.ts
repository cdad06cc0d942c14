import { outsideCode } from './citation-marks.ts';

const MARK = /( ?)\[(\d{1,3})\]/g;

/**
 * An answer whose marks `[1]` … `[cited]` name its citations, when some of these are there no more: their marks are
 * left out, and the others are numbered anew without gaps. Code (between backticks) is left as it is, as it was when the
 * marks were made.
 *
 * @param gone places of those that are gone, from 0
 */
export const withoutCitations = (text: string, cited: number, gone: ReadonlySet<number>): string => {
  const left = Array.from({ length: cited }, (_, place) => place).filter((place) => !gone.has(place));
  const renumbered = (mark: string, blank: string, digits: string): string => {
    const place = Number(digits) - 1;
    if (place < 0 || place >= cited) return mark;
    return gone.has(place) ? '' : `${blank}[${left.indexOf(place) + 1}]`;
  };
  return outsideCode(text, (part) => part.replaceAll(MARK, renumbered));
};

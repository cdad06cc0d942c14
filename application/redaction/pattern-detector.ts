import type { Detector, Span } from '../../domain/redaction/detectors/detector.ts';
import type { FindPattern } from '../ports/compilers.ts';

/**
 * The longest match of a pattern that a stream is sure to hold back whole: it keeps so many characters to itself.
 * A longer match is found where a text is redacted whole, and may be cut where it is streamed.
 */
const STREAMED_PATTERN = 256;
/** A text is searched in pieces, each with so many characters of what follows: the longest match that is sure. */
const PIECE = 1_024;
const LONGEST_PATTERN = 1_024;

/**
 * A pattern as a detector. One search is linear, but all matches of a text are not: each search may look at all that
 * follows to find out that the match is short (`a[^b]*b|a`). Therefore no search sees more than a piece.
 */
export const patternDetector = (search: FindPattern): Detector => ({
  find: (text, from) => {
    const found: Span[] = [];
    for (let base = from; base < text.length;) {
      // One character before, for ^ and \b.
      const offset = Math.max(0, base - 1);
      const limit = base + PIECE;
      const piece = text.slice(offset, limit + LONGEST_PATTERN);
      for (const span of within(search, piece, base - offset, limit - offset)) {
        found.push({ start: span.start + offset, end: span.end + offset });
      }
      base = Math.max(limit, found.at(-1)?.end ?? 0);
    }
    return found;
  },
  settledUpTo: (text) => Math.max(0, text.length - STREAMED_PATTERN - 1),
});

/** The matches that begin in `from..to`. */
const within = (search: FindPattern, piece: string, from: number, to: number): readonly Span[] => {
  const spans: Span[] = [];
  for (let at = from; at < to;) {
    const span = search(piece, at);
    if (span === null || span.start >= to) return spans;
    spans.push(span);
    at = span.end;
  }
  return spans;
};

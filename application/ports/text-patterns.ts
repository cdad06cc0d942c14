import type { Span } from '../../domain/redaction/detectors/detector.ts';

/** The first match that begins at or after an offset; never empty. Lines, words and ends are those of the whole text. */
export type FindPattern = (text: string, from: number) => Span | null;

/** Compiles patterns that callers wrote for searching in texts. */
export interface TextPatterns {
  /**
   * A regular expression in RE2 syntax, so that one search takes time linear in the text whatever was written.
   *
   * @throws DomainError `pattern_invalid` with the reason: bad syntax, look-around and back references, a pattern that
   * matches the empty text, or one too large when compiled
   */
  readonly compile: (pattern: string) => FindPattern;
}

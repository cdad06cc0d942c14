import type { Span } from '../../domain/redaction/detectors/detector.ts';
import type { PathFilter } from '../../domain/crawl/crawl-scope.ts';

/** Compiles patterns that callers wrote, so that matching takes time linear in the text whatever they wrote. */
export interface PatternCompiler {
  /**
   * Globs over a URL path or a file path: `*` and `?` within a segment, `**` over segments, `[a-z]`, `{a,b}`, `\` to
   * escape. A leading slash and a trailing slash are optional, on either side; case counts; percent-encoded paths are
   * compared decoded. A path passes when some pattern matches (or there are only exclusions) and no `!pattern` does.
   *
   * @throws DomainError `pattern_invalid`, naming the pattern and the reason
   */
  pathFilter(patterns: readonly string[]): PathFilter;
  /**
   * Regular expressions in RE2 syntax, not anchored: a text passes when one of them, or when there is none, matches
   * in its first 500,000 characters.
   *
   * @throws DomainError `pattern_invalid`: bad syntax, or look-around and back references, or too large when compiled
   */
  contentFilter(patterns: readonly string[]): (text: string) => boolean;
}

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

/** What is wrong with a value, in words that name the places; none: it fits. At most twenty. */
export type FindProblems = (value: unknown) => readonly string[];

/** Compiles JSON Schemas (draft 2020-12) that callers wrote. */
export interface SchemaCompiler {
  /**
   * Takes what is checked in bounded time: keywords of validation without regular expressions, references to `$defs` of
   * the same schema only, no recursion, bounded in size, depth, and size with all references written out. Nothing is
   * ever fetched.
   *
   * @throws DomainError `schema_invalid` with the place and the reason
   */
  readonly compile: (schema: Readonly<Record<string, unknown>>) => FindProblems;
}

import type { Span } from '../../domain/redaction/detectors/detector.ts';
import type { PathFilter } from '../../domain/crawl/crawl-scope.ts';

/** Compiles patterns written by callers. Matching takes time linear in the text for every pattern. */
export interface PatternCompiler {
  /**
   * Globs over a URL path or a file path: `*` and `?` within a segment, `**` over segments, `[a-z]`, `{a,b}`, `\` to
   * escape. Leading and trailing slashes are optional in pattern and path. Matching is case-sensitive; percent-encoded
   * paths are decoded first. A path passes if some pattern matches it (or there are only exclusions) and no `!pattern`
   * matches.
   *
   * @throws DomainError `pattern_invalid`, naming the pattern and the reason
   */
  pathFilter(patterns: readonly string[]): PathFilter;
  /**
   * Unanchored regular expressions in RE2 syntax. A text passes if at least one matches within its first 500,000
   * characters, or if there are no patterns.
   *
   * @throws DomainError `pattern_invalid`: bad syntax, or look-around and back references, or too large when compiled
   */
  contentFilter(patterns: readonly string[]): (text: string) => boolean;
}

/**
 * The first match that begins at or after an offset; never empty. Anchors and word boundaries refer to the whole text.
 */
export type FindPattern = (text: string, from: number) => Span | null;

/** Compiles patterns written by callers for searching in texts. */
export interface TextPatternCompiler {
  /**
   * A regular expression in RE2 syntax: one search takes time linear in the text, whatever the pattern.
   *
   * @throws DomainError `pattern_invalid` with the reason: bad syntax, look-around and back references, a pattern that
   * matches the empty text, or one too large when compiled
   */
  readonly compile: (pattern: string) => FindPattern;
}

/** Validates a value. Returns at most twenty problems, each with its location; empty if the value is valid. */
export type FindProblems = (value: unknown) => readonly string[];

/** Compiles JSON Schemas (draft 2020-12) written by callers. */
export interface SchemaCompiler {
  /**
   * Accepts only schemas that validate in bounded time: validation keywords without regular expressions, references to
   * `$defs` of the same schema only, no recursion, and limits on size, on depth and on the size with all references
   * expanded. Never fetches anything.
   *
   * @throws DomainError `schema_invalid` with the location and the reason
   */
  readonly compile: (schema: Readonly<Record<string, unknown>>) => FindProblems;
}

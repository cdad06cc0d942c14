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

import type { PathFilter } from '../../domain/crawl/crawl-scope.ts';
import { globToRegex } from './glob.ts';
import { compileLinear } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';

/** See `PatternCompiler.pathFilter`. */
export const compilePathFilter = (patterns: readonly string[]): PathFilter => {
  const included = compileAll(patterns.filter((pattern) => !pattern.startsWith('!')));
  const excluded = compileAll(patterns.filter((pattern) => pattern.startsWith('!')));
  return (pathname) => {
    const path = trimSlashes(decoded(pathname));
    return excluded?.(path) !== true && included?.(path) !== false;
  };
};

const compileAll = (patterns: readonly string[]): LinearPattern | null => {
  if (patterns.length === 0) return null;
  const globs = patterns.map((written) => ({ written, glob: trimSlashes(written.replace(/^!/, '')) }));
  return compileLinear(globs.map(({ written, glob }) => ({ written, regex: globToRegex(glob, written) })));
};

const trimSlashes = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '');

/** Patterns are written in letters, while `URL` percent-encodes them. */
const decoded = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname; // URIError: percent signs that encode no UTF-8
  }
};

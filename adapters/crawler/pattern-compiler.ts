import type { PatternCompiler } from '../../application/ports/compilers.ts';
import type { PathFilter } from '../../domain/crawl/crawl-scope.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { RE2JS, RE2JSException } from 're2js';

const READ_CHARACTERS = 500_000;

/** See `PatternCompiler.contentFilter`. */
export const compileContentFilter = (patterns: readonly string[]): ((text: string) => boolean) => {
  if (patterns.length === 0) return () => true;
  const matches = compileLinear(patterns.map((pattern) => ({ regex: pattern, written: pattern })));
  return (text) => matches(text.slice(0, READ_CHARACTERS));
};

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

/** Decodes the path: users write patterns in plain characters, while `URL` percent-encodes paths. */
const decoded = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname; // URIError: the percent signs do not encode UTF-8
  }
};

/**
 * Matching time is proportional to the text length times the number of instructions that are active at one position.
 * For wildcards that is most instructions, for plain text a few; so there may be many instructions, but few wildcards.
 * Counted repetitions are expanded: `a{1000}` is seven characters and a thousand instructions.
 */
const MAX_INSTRUCTIONS = 6_000;

const MAX_WILDCARDS = 700;

const MAX_REPETITIONS = 2_000;

/**
 * Compiles alternatives into one automaton: one pass over the text, however many patterns there are. RE2 has no
 * look-around and no back references, so matching takes linear time for any pattern and text.
 *
 * @param patterns at least one
 * @throws DomainError `pattern_invalid`, naming the pattern at fault
 */
const compileLinear = (patterns: readonly WrittenPattern[]): LinearPattern => {
  for (const { regex, written } of patterns) compileBounded(regex, `pattern ${quoted(written)}`);
  const all = patterns.map(({ regex }) => `(?:${closed(regex)})`).join('|');
  const pattern = compileBounded(all, `the ${patterns.length} patterns together`);
  return (text) => pattern.test(text);
};

const compileBounded = (regex: string, name: string): RE2JS => {
  // A repetition compiles to at least as many instructions as its count, so too many repetitions are refused before
  // compilation.
  mustBeAtMost(MAX_REPETITIONS, repetitionsOf(regex), name, 'repetitions by counts such as {9}');
  mustBeAtMost(MAX_WILDCARDS, wildcardsOf(regex), name, 'wildcards and repetitions (*, +, ?)');
  try {
    const pattern = RE2JS.compile(regex);
    const repeated = repetitionsOf(regex) > 0;
    const most = repeated ? MAX_REPETITIONS + regex.length : MAX_INSTRUCTIONS;
    mustBeAtMost(most, pattern.programSize(), name, 'instructions once compiled');
    return pattern;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new DomainError('pattern_invalid', `${name}: ${error.message}`);
  }
};

/** A literal text that begins with `\\Q` may run to the end of a pattern, but must not swallow the next pattern. */
const closed = (regex: string): string =>
  regex.lastIndexOf('\\Q') > regex.lastIndexOf('\\E') ? `${regex}\\E` : regex;

/** @throws DomainError that says which limit is exceeded, and by how much */
const mustBeAtMost = (most: number, found: number, name: string, what: string): void => {
  if (found <= most) return;
  const message = `${name}: too large, it has ${found} ${what}, and ${most} are allowed`;
  throw new DomainError('pattern_invalid', `${message}: use fewer, or fewer patterns`);
};

/** Counts signs that match more than one text; escaped ones and those that begin a group's flags do not count. */
const wildcardsOf = (regex: string): number =>
  regex.replaceAll(/\\.|\(\?/gs, '').match(/[*+?]/g)?.length ?? 0;

const repetitionsOf = (regex: string): number => {
  let sum = 0;
  for (const [, least, most] of regex.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) sum += Number(most || least);
  return sum;
};

const quoted = (written: string): string =>
  JSON.stringify(written.length > 80 ? `${written.slice(0, 80)}…` : written);

const MAX_BRACES = 5;

/**
 * Translates a glob into an anchored regular expression in RE2 syntax. `**` as a whole segment matches any number of
 * segments, including none; `*` and `?` match within a segment. Names that begin with a dot are not special. Glob
 * libraries generate look-aheads and nested repetition for a backtracking engine: one of them took 12 s for `*a*a*a*b`
 * against 400 letters.
 *
 * @param written the pattern for the message
 * @throws DomainError `pattern_invalid` for unbalanced brackets or braces, and for ranges in braces
 */
const globToRegex = (glob: string, written: string): string => {
  const invalid = (reason: string): DomainError =>
    new DomainError('pattern_invalid', `pattern ${JSON.stringify(written.slice(0, 80))}: ${reason}`);
  let braces = 0;
  let regex = '';
  for (let index = 0; index < glob.length;) {
    const { text, length, opens = 0 } = tokenAt(glob, index, braces, invalid);
    regex += text;
    index += length;
    braces += opens;
    if (braces > MAX_BRACES) throw invalid(`braces are nested deeper than ${MAX_BRACES}`);
  }
  if (braces !== 0) throw invalid('a brace is not closed');
  return `(?s)^(?:${regex})$`;
};

const tokenAt = (
  glob: string,
  index: number,
  braces: number,
  invalid: (reason: string) => DomainError,
): Token => {
  const rest = glob.slice(index);
  const startsSegment = index === 0 || '/{,'.includes(glob.charAt(index - 1));
  if (startsSegment && rest.startsWith('**/')) return { text: '(?:[^/]*/)*', length: 3 };
  if (rest === '/**') return { text: '(?:/.*)?', length: 3 };
  switch (rest.charAt(0)) {
    case '*':
      return rest.startsWith('**') ? { text: '.*', length: 2 } : { text: '[^/]*', length: 1 };
    case '?':
      return { text: '[^/]', length: 1 };
    case '[':
      return bracket(rest, invalid);
    case '{':
      if (/^\{[^{},]*\.\.[^{},]*\}/.test(rest))
        throw invalid('ranges in braces are not supported: list the values');
      return { text: '(?:', length: 1, opens: 1 };
    case '}':
      if (braces === 0) throw invalid('a brace is closed that was not opened');
      return { text: ')', length: 1, opens: -1 };
    case ',':
      return { text: braces > 0 ? '|' : ',', length: 1 };
    case '\\':
      if (rest.length === 1) throw invalid('nothing follows the last backslash');
      return { text: RE2JS.quote(rest.charAt(1)), length: 2 };
    default:
      return { text: RE2JS.quote(rest.charAt(0)), length: 1 };
  }
};

/** A character class; `!` or `^` negates it, and a leading `]` is a member. */
const bracket = (rest: string, invalid: (reason: string) => DomainError): Token => {
  const found = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
  if (found === null || found[2] === '') throw invalid('a bracket is not closed');
  const [whole, negation, members = ''] = found;
  // Only ranges keep their meaning inside: everything else that RE2 would interpret (`[:alpha:]`, `\d`, `^`) is
  // literal.
  const literal = members.replace(/[\\[\]^]/g, '\\$&');
  return { text: negation === '' ? `[${literal}]` : `[^/${literal}]`, length: whole.length };
};

export const patternCompiler: PatternCompiler = {
  pathFilter: compilePathFilter,
  contentFilter: compileContentFilter,
};

/** Whether a text contains a match. */
type LinearPattern = (text: string) => boolean;

interface WrittenPattern {
  /** RE2 syntax. */
  readonly regex: string;
  /** The pattern as the caller wrote it, for messages. */
  readonly written: string;
}

interface Token {
  readonly text: string;
  /** Number of characters of the glob. */
  readonly length: number;
  /** 1 opens a brace, -1 closes one. */
  readonly opens?: 1 | -1;
}

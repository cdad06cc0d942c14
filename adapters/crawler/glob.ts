import { RE2JS } from 're2js';
import { DomainError } from '../../domain/shared/domain-error.ts';

const MAX_BRACES = 5;

/**
 * Translates a glob into a regular expression in RE2 syntax, anchored at both ends.
 *
 * `**` as a whole segment stands for any number of segments, none included; `*` and `?` stay within a segment. Names
 * that begin with a dot are not special. Libraries that translate globs write look-aheads and nested repetition for a
 * backtracking engine: `*a*a*a*b` against 400 letters took one of them 12 s.
 *
 * @param written for the message
 * @throws DomainError `pattern_invalid` for unbalanced brackets or braces, and for ranges in braces
 */
export const globToRegex = (glob: string, written: string): string => {
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

interface Token {
  readonly text: string;
  /** Characters of the glob it stands for. */
  readonly length: number;
  /** 1 opens a brace, -1 closes one. */
  readonly opens?: 1 | -1;
}

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

/** A character class; `!` or `^` negates it, and a `]` standing first is a member. */
const bracket = (rest: string, invalid: (reason: string) => DomainError): Token => {
  const found = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
  if (found === null || found[2] === '') throw invalid('a bracket is not closed');
  const [whole, negation, members = ''] = found;
  // Only ranges keep a meaning inside: everything else that RE2 would read (`[:alpha:]`, `\d`, `^`) is taken literally.
  const literal = members.replace(/[\\[\]^]/g, '\\$&');
  return { text: negation === '' ? `[${literal}]` : `[^/${literal}]`, length: whole.length };
};

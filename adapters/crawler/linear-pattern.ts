import { RE2JS, RE2JSException } from 're2js';
import { DomainError } from '../../domain/shared/domain-error.ts';

/** Whether a text matches somewhere. */
export type LinearPattern = (text: string) => boolean;

export interface WrittenPattern {
  /** RE2 syntax. */
  readonly regex: string;
  /** What the caller wrote, for messages. */
  readonly written: string;
}

/**
 * Matching takes time in proportion to the text times what can be matched at one place of it. For wildcards that is
 * most of the instructions, for plain text a few: so there may be many instructions, but few of them wildcards. Counted
 * repetitions count as often as they repeat: `a{1000}` is seven characters and a thousand instructions.
 */
const MAX_INSTRUCTIONS = 6_000;
const MAX_WILDCARDS = 700;
const MAX_REPETITIONS = 2_000;

/**
 * Compiles alternatives into one automaton: one pass over the text, however many patterns there are. RE2 has no
 * look-around and no back references, and hence takes linear time whoever wrote the patterns and the text.
 *
 * @param patterns at least one
 * @throws DomainError `pattern_invalid`, naming the pattern at fault
 */
export const compileLinear = (patterns: readonly WrittenPattern[]): LinearPattern => {
  for (const { regex, written } of patterns) compileBounded(regex, `pattern ${quoted(written)}`);
  const all = patterns.map(({ regex }) => `(?:${closed(regex)})`).join('|');
  const pattern = compileBounded(all, `the ${patterns.length} patterns together`);
  return (text) => pattern.test(text);
};

const compileBounded = (regex: string, name: string): RE2JS => {
  // Each repetition compiles to at least so many instructions: refused before they are made.
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

/** A literal text begun with `\\Q` may run to the end of a pattern, but must not swallow what follows it. */
const closed = (regex: string): string =>
  regex.lastIndexOf('\\Q') > regex.lastIndexOf('\\E') ? `${regex}\\E` : regex;

/** @throws DomainError that says by how much it is too large, and at what */
const mustBeAtMost = (most: number, found: number, name: string, what: string): void => {
  if (found <= most) return;
  const message = `${name}: too large, it has ${found} ${what}, and ${most} are allowed`;
  throw new DomainError('pattern_invalid', `${message}: use fewer, or fewer patterns`);
};

/** Signs that stand for more than one text; escaped ones and those that begin a group's flags do not. */
const wildcardsOf = (regex: string): number =>
  regex.replaceAll(/\\.|\(\?/gs, '').match(/[*+?]/g)?.length ?? 0;

const repetitionsOf = (regex: string): number => {
  let sum = 0;
  for (const [, least, most] of regex.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) sum += Number(most || least);
  return sum;
};

const quoted = (written: string): string =>
  JSON.stringify(written.length > 80 ? `${written.slice(0, 80)}…` : written);

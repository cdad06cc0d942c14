import { RE2JS, RE2JSException } from 're2js';
import type { TextPatternCompiler } from '../../../application/ports/compilers.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** Instructions of the compiled automaton: the time of a search is proportional to the text times these. */
const MAX_INSTRUCTIONS = 500;

/**
 * See the port. Compiling costs as much as the number of instructions, so repetitions are summed up before.
 */
export const textPatterns: TextPatternCompiler = {
  compile: (pattern) => {
    const compiled = compileBounded(pattern);
    return (text, from) => {
      const matcher = compiled.matcher(text);
      for (let at = from; at <= text.length && matcher.find(at);) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) return { start, end };
        at = end + 1;
      }
      return null;
    };
  },
};

const compileBounded = (pattern: string): RE2JS => {
  try {
    if (repetitionsOf(pattern) > MAX_INSTRUCTIONS) throw patternError('too large when compiled, repeat less');
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > MAX_INSTRUCTIONS)
      throw patternError('too large when compiled, combine less');
    if (compiled.matcher('').find()) throw patternError('it matches the empty text, and so everywhere');
    return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw patternError(error.message);
  }
};

/** A lower bound of the instructions: each repetition compiles to at least its count. */
const repetitionsOf = (pattern: string): number => {
  let sum = 0;
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    sum += Number(most || least);
  return sum;
};

const patternError = (reason: string): DomainError =>
  new DomainError('pattern_invalid', `the pattern: ${reason}`);

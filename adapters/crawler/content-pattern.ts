import { compileLinear } from './linear-pattern.ts';

const READ_CHARACTERS = 500_000;

/** See `PatternCompiler.contentFilter`. */
export const compileContentFilter = (patterns: readonly string[]): ((text: string) => boolean) => {
  if (patterns.length === 0) return () => true;
  const matches = compileLinear(patterns.map((pattern) => ({ regex: pattern, written: pattern })));
  return (text) => matches(text.slice(0, READ_CHARACTERS));
};

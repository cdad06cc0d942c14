import type { PatternCompiler } from '../../application/ports/compilers.ts';
import { compileContentFilter } from './content-pattern.ts';
import { compilePathFilter } from './path-filter.ts';

export const patternCompiler: PatternCompiler = {
  pathFilter: compilePathFilter,
  contentFilter: compileContentFilter,
};

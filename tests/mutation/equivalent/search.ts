import type { Equivalents } from '../equivalent.ts';

export const SEARCH: readonly Equivalents[] = [
  {
    file: 'domain/search/highlights.ts',
    why: 'a line of ASCII has the same words by either way: this one is the faster',
    mutants: [['BEYOND_ASCII.test(line)', 'true']],
  },
  {
    file: 'domain/search/highlights.ts',
    why: 'no character behind the end is part of a word',
    mutants: [['from < line.length', 'from <= line.length']],
  },
  {
    file: 'domain/search/highlights.ts',
    why: 'the words that stand there instead are several, or none of the run',
    mutants: [["''", '"Stryker was here!"']],
  },
];

import type { Equivalents } from '../equivalent.ts';

export const RANKED_WORDS: readonly Equivalents[] = [
  {
    file: 'domain/ranking/asked-terms.ts',
    why: 'each word has its terms, none for a stop word',
    mutants: [
      ['terms.get(word)?.length', 'terms.get(word).length'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/ranking/asked-terms.ts',
    why: 'saves stemming a word twice; of both, one is kept',
    mutants: [
      ['[dotted, plain].filter((other) => other !== word)', '[dotted, plain]'],
      ['other !== word', 'true'],
    ],
  },
  {
    file: 'domain/ranking/as-typed.ts',
    why: 'saves looking for no word; each hit gains nothing',
    mutants: [['signed.length === 0', 'false']],
  },
  {
    file: 'domain/ranking/defined.ts',
    why: 'saves naming what is not called so: names are read where they may be the one that is asked for',
    mutants: [
      ["end < text.length && text[end] !== '\\n'", 'false'],
      ['!mayNameIt(term)', 'false'],
      ["'_'", '""'],
    ],
  },
  {
    file: 'domain/ranking/defined.ts',
    why: 'no word is empty, no sign begins a text with a name before it, and no line is blank but by having nothing',
    mutants: [
      ['/\\s+/', '/\\s/'],
      ['at >= 0', 'at > 0'],
      ['at < text.length', 'at <= text.length'],
      ['next < 0', 'next <= 0'],
      ['line.trim()', 'line'],
    ],
  },
  {
    file: 'domain/ranking/corrected-like.ts',
    why: 'where a query has no words nothing is corrected; what is a run has a word',
    mutants: [
      ['[]', '["Stryker was here"]'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/ranking/mistakes.ts',
    why: 'two words of the same letters have them joined alike',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'domain/ranking/names.ts',
    why: 'what stands before a bracket ends in a word',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'domain/ranking/names.ts',
    why: 'nothing stands before a sign at the beginning, and no word is empty',
    mutants: [
      ['end > 0', 'end >= 0'],
      ['/\\s+/', '/\\s/'],
      ['first < 0', 'false'],
    ],
  },
  {
    file: 'domain/ranking/near-words.ts',
    why: 'no line is empty, and none begins with a blank',
    mutants: [
      ['blank < 0', 'blank <= 0'],
      ['end < 0', 'end <= 0'],
    ],
  },
  {
    file: 'domain/ranking/near-words.ts',
    why: 'the same form once more is no nearer',
    mutants: [
      ['terms.filter((term) => term !== own)', 'terms'],
      ['term !== own', 'true'],
    ],
  },
  {
    file: 'domain/ranking/near-words.ts',
    why: 'saves a closer look, which decides',
    mutants: [
      ['[length - most, length + most]', '[]'],
      ['length >= SHORT', 'true'],
      ['i < lengths.length', 'i <= lengths.length'],
      ['there < shortest || there > longest', 'false'],
      ['there < shortest || there > longest', 'there < shortest && there > longest'],
      ['there < shortest', 'false'],
      ['there > longest', 'false'],
      [
        `end >>> 16 === first ||
      (mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last && Math.abs(there - length) <= 1)`,
        'true',
      ],
      [
        'mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last && Math.abs(there - length) <= 1',
        'mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last || Math.abs(there - length) <= 1',
      ],
      ['mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last', 'true'],
      [
        'mayDifferAtFirst && differing <= 2 && (end & 0xffff) === last',
        'mayDifferAtFirst && differing <= 2 || (end & 0xffff) === last',
      ],
      ['mayDifferAtFirst && differing <= 2', 'true'],
      ['mayDifferAtFirst && differing <= 2', 'mayDifferAtFirst || differing <= 2'],
      ['(end & 0xffff) === last', 'true'],
      ['Math.abs(there - length) <= 1', 'true'],
      ['isNear', 'true'],
      ['differing > 2 * most', 'false'],
      ['differing <= 2', 'true'],
    ],
  },
  {
    file: 'domain/ranking/spelling.ts',
    why: 'each word has its terms, and each run a word',
    mutants: [
      ['[]', '["Stryker was here"]'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/ranking/stop-phrases.ts',
    why: 'no word is empty',
    mutants: [['/\\s+/', '/\\s/']],
  },
  {
    file: 'domain/ranking/term-weights.ts',
    why: 'no term is there twice',
    mutants: [
      ['a < b', 'a <= b'],
      ['a > b', 'true'],
      ['a > b', 'a >= b'],
    ],
  },
  {
    file: 'domain/ranking/vocabulary.ts',
    why: 'saves reading a title again',
    mutants: [['titles.set(title, known);', ';']],
  },
  {
    file: 'domain/ranking/names.ts',
    why: 'all but the last part come first then, and the whole is there anyway',
    mutants: [['i + 1', 'i - 1']],
  },
  {
    file: 'domain/ranking/spelling.ts',
    why: 'a sort asks what comes before alone',
    mutants: [
      ['a > b', 'true'],
      ['a > b', 'false'],
      ['a > b', 'a >= b'],
      ['a > b', 'a <= b'],
    ],
  },
  {
    file: 'domain/ranking/term-weights.ts',
    why: 'a sort asks what comes before alone',
    mutants: [
      ['a > b', 'false'],
      ['a > b', 'a <= b'],
    ],
  },
];

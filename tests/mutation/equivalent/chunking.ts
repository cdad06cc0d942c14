import type { Equivalents } from '../equivalent.ts';

const UNCLEAN =
  '/[\\u0000-\\u0009\\u000b-\\u001f\\u007f\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]|\\S {2}| \\n|\\n{3}|\\n {17}/';

export const CHUNKING: readonly Equivalents[] = [
  {
    file: 'domain/chunking/keywords.ts',
    why: 'the slower way to the same words: of a text that is read to its end, and of one of ASCII',
    mutants: [
      ['budget <= 0', 'budget < 0'],
      ['!BEYOND_ASCII.test(lower)', 'false'],
    ],
  },
  {
    file: 'domain/chunking/keywords.ts',
    why: 'what begins with a letter is a word to the segmenter; no word is empty',
    mutants: [
      ['isWordLike === true', 'true'],
      ['/\\s+/', '/\\s/'],
    ],
  },
  {
    file: 'domain/chunking/sections.ts',
    why: 'a field that is undefined counts as absent, and a chunk has none',
    mutants: [
      ['unit.metadata !== undefined', 'true'],
      ['unit.lines !== undefined', 'true'],
    ],
  },
  {
    file: 'domain/chunking/sections.ts',
    why: 'saves counting two texts together of which one alone leaves too little room',
    mutants: [
      ['piece.tokens + nextPiece.tokens > limits.maxTokens', 'false'],
      ['piece.tokens + nextPiece.tokens', 'piece.tokens - nextPiece.tokens'],
    ],
  },
  {
    file: 'domain/chunking/sections.ts',
    why: 'both have lines, or none of them; behind the end of a path there is no heading',
    mutants: [
      ['section.lines && next.lines', 'section.lines || next.lines'],
      ['length < a.length', 'length <= a.length'],
    ],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'saves looking for terms where no sign is; what has no place of its own is around no atom',
    mutants: [
      ["'¶'", '""'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'where terms would be repeated twice, there is no room for the next sentence, and less is repeated',
    mutants: [['terms !== null', 'false']],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'terms that fill a piece by themselves are more than half of one, and not repeated',
    mutants: [['around.body > start', 'around.body >= start']],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'two breaks stand at the beginning of a paragraph alone',
    mutants: [
      [
        '/^\\n\\n(?=[^\\n]*\\p{L})[^\\n]*[^\\n.!?;,。！？．]$/u',
        '/\\n\\n(?=[^\\n]*\\p{L})[^\\n]*[^\\n.!?;,。！？．]$/u',
      ],
    ],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'the piece before had taken the same sentences behind more of them',
    mutants: [['end < start', 'false']],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'saves counting a text that is counted already',
    mutants: [['trimmed.length === slice.length', 'false']],
  },
  {
    file: 'domain/chunking/split-text.ts',
    why: 'what repeats a piece as a whole has no room for the next sentence either, and is begun again without its first',
    mutants: [['start - 1 > from', 'start - 1 >= from']],
  },
  {
    file: 'domain/chunking/text-atoms.ts',
    why: 'what goes back further ends at the same place, and takes long where there are many line breaks in a row',
    mutants: [
      ['index > from', 'true'],
      ['index > from', 'index >= from'],
    ],
  },
  {
    file: 'domain/chunking/text-atoms.ts',
    why: 'no group ends with the text: the first half of a pair that is cut is a word of its own, and the next group begins with it',
    mutants: [
      ['from < end', 'true'],
      ['from < end', 'from <= end'],
    ],
  },
  {
    file: 'domain/chunking/sections.ts',
    why: 'the slower way to the same text, which is clean already',
    mutants: [
      [UNCLEAN, UNCLEAN.replace('/[', '/[^')],
      [UNCLEAN, UNCLEAN.replace('\\S {2}', '\\S ')],
      [UNCLEAN, UNCLEAN.replace('\\n{3}', '\\n')],
      [UNCLEAN, UNCLEAN.replace('\\n {17}', '\\n ')],
      ['!UNCLEAN.test(wellFormed)', 'false'],
    ],
  },
];

import type { Equivalents } from '../equivalent.ts';

export const ANSWER: readonly Equivalents[] = [
  {
    file: 'domain/answer/sentences.ts',
    why: 'the two characters begin with a space, which is asked before',
    mutants: [['/^ \\d/', '/ \\d/']],
  },
  {
    file: 'domain/answer/extractive-answer.ts',
    why: 'a statement ends the headings, and what is none has none',
    mutants: [['one.place < place', 'one.place <= place']],
  },
  {
    file: 'domain/answer/title-scores.ts',
    why: 'saves reading a title again, and memory',
    mutants: [
      ['known !== undefined', 'false'],
      ['kept.size >= mostKept', 'true'],
      ['kept.size >= mostKept', 'false'],
      ['kept.size >= mostKept', 'kept.size > mostKept'],
      ['kept.size >= mostKept', 'kept.size < mostKept'],
      ['kept.clear();', ';'],
      ['kept.set(title, parts);', ';'],
    ],
  },
  {
    file: 'domain/answer/asked.ts',
    why: 'saves reading more of a text than tells it',
    mutants: [
      ['question.slice(0, TYPED_CHARACTERS)', 'question'],
      ['names.length === 0', 'false'],
      ['first.slice(-2)', 'first'],
      ['after.slice(0, 2)', 'after'],
      ['`${end}${between}${after.slice(-2)}`.slice(-2)', '`${end}${between}${after.slice(-2)}`'],
      ['after.slice(-2)', 'after'],
      ['-2', '+2'],
    ],
  },
  {
    file: 'domain/answer/asked.ts',
    why: 'what is of no word stands on both sides already',
    mutants: [["' '", '""']],
  },
  {
    file: 'domain/answer/kinds.ts',
    why: 'one small letter is enough',
    mutants: [
      [
        '/\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\.)? \\p{Lu}\\p{Ll}+|\\b(?:by|owners?|users?|superusers?|administrators?|authors?|members?|people|persons?|team|teams|maintainers?|developers?|manager|managers|director|anyone|everyone|nobody|roles?|customers?|employees?)\\b/u',
        '/\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\.)? \\p{Lu}\\p{Ll}|\\b(?:by|owners?|users?|superusers?|administrators?|authors?|members?|people|persons?|team|teams|maintainers?|developers?|manager|managers|director|anyone|everyone|nobody|roles?|customers?|employees?)\\b/u',
      ],
    ],
  },
  {
    file: 'domain/answer/candidates.ts',
    why: 'saves reading again what other pieces stand under, too',
    mutants: [['headed?.leads === leads', 'false']],
  },
  {
    file: 'domain/answer/candidates.ts',
    why: 'an empty cell has no term, and what is no row has no cell',
    mutants: [
      ["cell.trim() !== ''", 'true'],
      ['cell.trim()', 'cell'],
      ["''", '"Stryker was here!"'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/answer/candidates.ts',
    why: 'blanks in a piece are single ones',
    mutants: [
      [
        '/^(.{1,80}?)(?:\\s+[-–—]{1,2}|:)\\s+(?!\\S*[#/.]\\S+$)\\S/u',
        '/^(.{1,80}?)(?:\\s[-–—]{1,2}|:)\\s+(?!\\S*[#/.]\\S+$)\\S/u',
      ],
      [
        '/^(.{1,80}?)(?:\\s+[-–—]{1,2}|:)\\s+(?!\\S*[#/.]\\S+$)\\S/u',
        '/^(.{1,80}?)(?:\\s+[-–—]{1,2}|:)\\s(?!\\S*[#/.]\\S+$)\\S/u',
      ],
    ],
  },
  {
    file: 'domain/answer/citation-marks.ts',
    why: 'all of it may be missing anyway',
    mutants: [
      [
        '/^\\[\\s{0,3}(?:W|W?\\d{1,3}(?:\\s{0,3}[,;]\\s{0,3}W?\\d{1,3}){0,9}(?:\\s{0,3}[,;]?\\s{0,3}W?)?)?$/',
        '/^\\[\\s{0,3}(?:W|W?\\d{1,3}(?:\\s{0,3}[,;]\\s{0,3}W?\\d{1,3}){0,9}(?:\\s{0,3}[,;]?\\s{0,3}W?))?$/',
      ],
    ],
  },
  {
    file: 'domain/answer/citation-marks.ts',
    why: 'no blank is held where that is so, and a new mark closes nothing',
    mutants: [
      ['false', 'true'],
      ["said === ''", 'true'],
    ],
  },
  {
    file: 'domain/answer/citation-marks.ts',
    why: 'nothing is read behind the text; backticks are known to stand there; what is a mark is no beginning of one',
    mutants: [
      ['at < text.length', 'at <= text.length'],
      ['/^`+/', '/`+/'],
      ['mark === undefined', 'true'],
    ],
  },
  {
    file: 'domain/answer/read-text.ts',
    why: 'saves reading a piece or a word again, and memory for what was read',
    mutants: [
      ['found !== undefined', 'false'],
      ['known.size >= MOST_WORDS', 'true'],
      ['known.size >= MOST_WORDS', 'false'],
      ['known.size >= MOST_WORDS', 'known.size > MOST_WORDS'],
      ['known.size >= MOST_WORDS', 'known.size < MOST_WORDS'],
      ['known.clear();', ';'],
      ['known.set(word, term);', ';'],
      ['PIECES_BY_UNIT * (units.length + 1)', 'PIECES_BY_UNIT / (units.length + 1)'],
      ['units.length + 1', 'units.length - 1'],
      ['known.size >= most', 'true'],
      ['known.size >= most', 'known.size > most'],
      ['known.size >= most', 'known.size < most'],
      ['names.length === 0', 'false'],
    ],
  },
  {
    file: 'domain/answer/sentences.ts',
    why: 'blanks in a line are single ones; a line more is an empty one; pieces are cut at as many characters anyway',
    mutants: [
      ['/^(?:[-*•‣–—>|#]+|\\d{1,3}[.)]|\\[\\d+\\])\\s+/', '/^(?:[-*•‣–—>|#]+|\\d{1,3}[.)]|\\[\\d+\\])\\s/'],
      ['(part) => part.length', '() => undefined'],
    ],
  },
  {
    file: 'domain/answer/terms.ts',
    why: 'saves looking for endings of words that are too short for any',
    mutants: [['word.length < 4', 'false']],
  },
  {
    file: 'domain/answer/units.ts',
    why: 'nothing is quoted of what has blanks alone',
    mutants: [['block.trim()', 'block']],
  },
  {
    file: 'domain/answer/weights.ts',
    why: 'a term that is not there adds nothing',
    mutants: [
      ['count > 0', 'true'],
      ['count > 0', 'count >= 0'],
    ],
  },
  {
    file: 'domain/answer/without-citations.ts',
    why: 'a part is of backticks alone, or has none',
    mutants: [["part.startsWith('`')", "part.endsWith('`')"]],
  },
];

import type { Equivalents } from '../equivalent.ts';

export const REDACTION: readonly Equivalents[] = [
  {
    file: 'domain/redaction/detectors/digit-groups.ts',
    why: 'saves reading a run of figures that is too long; behind no separator there is no group either',
    mutants: [
      ['end - at <= most', 'true'],
      ["between === ''", 'false'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/redaction/detectors/detector.ts',
    why: 'saves looking at what is not there: before and behind a text there is no character, and none is no part of anything',
    mutants: [
      ['at > 0 && at < text.length', 'true'],
      ['at > 0 && at < text.length', 'at > 0 || at < text.length'],
      ['at > 0', 'true'],
      ['at > 0', 'at >= 0'],
      ['at < text.length', 'true'],
      ['at < text.length', 'at <= text.length'],
      ['start > 0', 'true'],
      ['start > 0', 'start >= 0'],
      ['char.length === 1', 'true'],
    ],
  },
  {
    file: 'domain/redaction/detectors/detector.ts',
    why: 'who looks up to the end of a text stops behind it, too',
    mutants: [['at < to', 'at <= to']],
  },
  {
    file: 'domain/redaction/detectors/folded.ts',
    why: 'a single character is looked at, and never none',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/redaction/detectors/folded.ts',
    why: 'what the text ends with and nobody sees is not in it, or is in the view too',
    mutants: [
      ['settled < view.length', 'true'],
      ['settled < view.length', 'settled <= view.length'],
    ],
  },
  {
    file: 'domain/redaction/detectors/folded.ts',
    why: 'saves looking at more than is too many',
    mutants: [
      ['Math.max(0, text.length - MOST_INVISIBLE - 1)', 'Math.min(0, text.length - MOST_INVISIBLE - 1)'],
      ['start > least', 'true'],
      ['start > least', 'start >= least'],
    ],
  },
  {
    file: 'domain/redaction/detectors/folded.ts',
    why: 'the place where one stretch ends is the one where the next begins',
    mutants: [['starts[n]!.offset <= offset', 'starts[n]!.offset < offset']],
  },
  {
    file: 'domain/redaction/detectors/inside-number.ts',
    why: 'before a text there is no character, and none is no replacement and no figure',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
      ['at < 2', 'false'],
    ],
  },
  {
    file: 'domain/redaction/detectors/ip-address.ts',
    why: 'a single character is looked at; an address has figures around its last colon',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/redaction/detectors/ip-address.ts',
    why: 'saves reading from further back: what begins before is left out',
    mutants: [
      [
        `{
  let start = from;
  while (start > 0 && from - start <= REACH && isPart(text.charAt(start - 1))) start -= 1;
  return start;
}`,
        '{}',
      ],
      [
        'start > 0 && from - start <= REACH && isPart(text.charAt(start - 1))',
        'start > 0 && from - start <= REACH || isPart(text.charAt(start - 1))',
      ],
      ['start > 0 && from - start <= REACH', 'true'],
      ['start > 0 && from - start <= REACH', 'start > 0 || from - start <= REACH'],
      ['start > 0', 'true'],
      ['start > 0', 'start >= 0'],
      ['from - start <= REACH', 'true'],
      ['from - start <= REACH', 'from - start < REACH'],
      ['start - 1', 'start + 1'],
    ],
  },
  {
    file: 'domain/redaction/detectors/ip-address.ts',
    why: 'saves judging a run that is no address by its length, or by its signs',
    mutants: [
      ['end > start', 'true'],
      ['end > start', 'end >= start'],
      ['end === runTo', 'true'],
      ['end - start < 2 || end - start > REACH', 'false'],
      ['end - start < 2 || end - start > REACH', 'end - start < 2 && end - start > REACH'],
      ['end - start < 2', 'false'],
      ['end - start', 'end + start'],
      ['end - start > REACH', 'false'],
      ['end - start > REACH', 'end - start >= REACH'],
      ['port > 0', 'true'],
      ['port > 0', 'port >= 0'],
      ['end - 2 >= start', 'true'],
      ['end - 2', 'end + 2'],
      ["':'", '""'],
      ['count >= 1', 'true'],
    ],
  },
  {
    file: 'domain/redaction/detectors/ip-address.ts',
    why: 'of two characters the first alone may be it',
    mutants: [['/^\\/\\d/', '/\\/\\d/']],
  },
  {
    file: 'domain/redaction/detectors/key-assignment.ts',
    why: 'saves reading a text from its beginning: what begins before is left out',
    mutants: [['Math.max(0, from - MOST_BEFORE)', 'Math.min(0, from - MOST_BEFORE)']],
  },
  {
    file: 'domain/redaction/detectors/key-assignment.ts',
    why: 'there is a value in each match, and a place where kinds change in each that is asked for, which the compiler is to be told',
    mutants: [
      ["''", '"Stryker was here!"'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/redaction/detectors/randomness.ts',
    why: 'saves counting: figures alone never change their kind, nor does a single character',
    mutants: [
      ['/[A-Za-z]/', '/[^A-Za-z]/'],
      ['kinds.length < 2', 'false'],
      ['kinds.length < 2', 'kinds.length <= 2'],
    ],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
    why: 'a single character is looked at, and never none',
    mutants: [
      ['/^[A-Za-z0-9_+/=~.-]$/', '/[A-Za-z0-9_+/=~.-]$/'],
      ['/^[A-Za-z0-9_+/=~.-]$/', '/^[A-Za-z0-9_+/=~.-]/'],
    ],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
    why: 'the hyphens that a block begins with are of the run before it',
    mutants: [['next.start < end', 'next.start <= end']],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
    why: 'saves looking for five or nine characters where the first is none of them',
    mutants: [
      ["text.charAt(at) !== '-'", 'false'],
      ["text.charAt(at) === '-'", 'true'],
    ],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
    why: 'every text ends in none or more of these, which the compiler is to be told',
    mutants: [['/[.=-]*$/.exec(run.slice(-8))?.[0]', '/[.=-]*$/.exec(run.slice(-8))[0]']],
  },
  {
    file: 'domain/redaction/detectors/separators.ts',
    why: 'a single character is looked at, and never none',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
    ],
  },
];

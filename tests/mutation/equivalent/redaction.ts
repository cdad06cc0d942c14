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
    file: 'domain/redaction/detectors/by-kind.ts',
    why: 'a single character is looked at; an address has figures around its last colon',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'domain/redaction/detectors/by-kind.ts',
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
    file: 'domain/redaction/detectors/by-kind.ts',
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
    file: 'domain/redaction/detectors/by-kind.ts',
    why: 'of two characters the first alone may be it',
    mutants: [['/^\\/\\d/', '/\\/\\d/']],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
    why: 'saves reading a text from its beginning: what begins before is left out',
    mutants: [['Math.max(0, from - MOST_BEFORE)', 'Math.min(0, from - MOST_BEFORE)']],
  },
  {
    file: 'domain/redaction/detectors/key.ts',
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
  {
    file: 'domain/redaction/detectors/card.ts',
    why: 'the number that begins with the span ends with it',
    mutants: [['at > start', 'at >= start']],
  },
  {
    file: 'domain/redaction/detectors/card.ts',
    why: 'two characters are looked at, and fewer at the beginning of a text',
    mutants: [
      ['/[\\d\\f][.-]$/', '/[\\d\\f][.-]/'],
      ['Math.max(0, at - 2)', 'Math.min(0, at - 2)'],
    ],
  },
  {
    file: 'domain/redaction/detectors/check-digits.ts',
    why: 'a multiple of ten is one with a minus, too',
    mutants: [
      [
        'sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled',
        'sum -= i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled',
      ],
    ],
  },
  {
    file: 'domain/redaction/detectors/check-digits.ts',
    why: 'what is doubled is even',
    mutants: [['doubled > 9', 'doubled >= 9']],
  },
  {
    file: 'domain/redaction/detectors/cuts-another.ts',
    why: 'nothing is behind no offset, which the compiler is to be told',
    mutants: [['other !== null', 'true']],
  },
  {
    file: 'domain/redaction/detectors/phone.ts',
    why: 'saves looking where nothing begins: at the end of a text, within a run of figures, at a sign without figures',
    mutants: [
      ['at < text.length', 'at <= text.length'],
      ['text.charAt(at)', 'text'],
      ["isDigit(text.charAt(at + 1)) || text.startsWith('(+', at)", 'true'],
      ["'(+'", '""'],
    ],
  },
  {
    file: 'domain/redaction/detectors/phone.ts',
    why: 'two characters are looked at',
    mutants: [
      ['/[\\d\\f],$|\\p{L}[-/=]$|[$€£#]$/u', '/[\\d\\f],|\\p{L}[-/=]$|[$€£#]$/u'],
      ['/[\\d\\f],$|\\p{L}[-/=]$|[$€£#]$/u', '/[\\d\\f],$|\\p{L}[-/=]|[$€£#]$/u'],
      ['/^[.-][\\d\\f]/', '/[.-][\\d\\f]/'],
    ],
  },
  {
    file: 'domain/redaction/detectors/phone.ts',
    why: 'no figures follow the last of a date',
    mutants: [['at < start + index + date.length', 'at <= start + index + date.length']],
  },
  {
    file: 'domain/redaction/detectors/email.ts',
    why: 'nothing is looked at behind a text, or nothing that is found there',
    mutants: [['at < text.length', 'at <= text.length']],
  },
  {
    file: 'domain/redaction/detectors/email.ts',
    why: 'a single character is looked at, and none is before a text',
    mutants: [
      ["char !== ''", 'true'],
      ["''", '"Stryker was here!"'],
      ['start > 0', 'true'],
      ['start > 0', 'start >= 0'],
    ],
  },
  {
    file: 'domain/redaction/detectors/email.ts',
    why: 'saves looking at what is no address anyway, or where the end of the text is out of reach',
    mutants: [
      ['start === null', 'false'],
      [
        'Math.max(0, text.length - MOST_DOMAIN - 2 * LONGEST_SIGN - 2)',
        'Math.min(0, text.length - MOST_DOMAIN - 2 * LONGEST_SIGN - 2)',
      ],
      ['start >= least', 'true'],
      ['start >= least', 'start > least'],
    ],
  },
  {
    file: 'domain/redaction/detectors/email.ts',
    why: 'a sign that parts an address stands there, and is no dot: the bound keeps a wrong call from going on for ever',
    mutants: [
      ['start < at', 'true'],
      ['start < at', 'start <= at'],
    ],
  },
  {
    file: 'domain/redaction/detectors/email.ts',
    why: 'a quotation mark shortly before is held back by itself',
    mutants: [["text.charAt(at - 1) !== '\"'", 'false']],
  },
  {
    file: 'domain/redaction/detectors/iban.ts',
    why: 'saves reading where no account number begins, or from where the end of the text is out of reach',
    mutants: [
      ['`[A-Za-z]{2}(?:${SEPARATOR.source})?\\\\d(?:${SEPARATOR.source})?\\\\d`', '``'],
      ["'y'", '""'],
      ['Math.max(0, text.length - REACH)', 'Math.min(0, text.length - REACH)'],
      ['at < text.length', 'at <= text.length'],
    ],
  },
  {
    file: 'domain/redaction/detectors/iban.ts',
    why: 'as many characters are looked at as the pattern has',
    mutants: [
      ['/^[A-Z]{2}\\d\\d/', '/[A-Z]{2}\\d\\d/'],
      ['/^iban$/i', '/iban$/i'],
      ['/^iban$/i', '/^iban/i'],
    ],
  },
  {
    file: 'domain/redaction/detectors/national-id.ts',
    why: 'a single character is looked at, or two',
    mutants: [
      ['/^[A-Za-z]$/', '/[A-Za-z]$/'],
      ['/^[A-Za-z]$/', '/^[A-Za-z]/'],
      ['/[\\d\\f][.,-]$|[$€£#] ?$/', '/[\\d\\f][.,-]|[$€£#] ?$/'],
      ['/^[.-][\\d\\f]/', '/[.-][\\d\\f]/'],
      ['/^[-\\u2010\\u2011\\u2013]$/', '/[-\\u2010\\u2011\\u2013]$/'],
      ['/^[-\\u2010\\u2011\\u2013]$/', '/^[-\\u2010\\u2011\\u2013]/'],
    ],
  },
  {
    file: 'domain/redaction/detectors/national-id.ts',
    why: 'saves reading forms that begin otherwise, or from where the end of the text is out of reach; each form is read in full',
    mutants: [
      ["NATIONAL_IDS.filter(({ form }) => form.startsWith('9'))", 'NATIONAL_IDS'],
      ["'9'", '""'],
      ["NATIONAL_IDS.filter(({ form }) => form.startsWith('A'))", 'NATIONAL_IDS'],
      ["form.startsWith('A')", "form.endsWith('A')"],
      ["'A'", '""'],
      [
        "({ form }) => [...form].map((wanted) => CLASSES[wanted] ?? `\\\\${wanted}`).join('')",
        '() => undefined',
      ],
      ['[...form]', '[]'],
      ['(wanted) => CLASSES[wanted] ?? `\\\\${wanted}`', '() => undefined'],
      ["'y'", '""'],
      ['Math.max(0, text.length - REACH)', 'Math.min(0, text.length - REACH)'],
      ['at < text.length', 'at <= text.length'],
      ['!isOpening(text.charAt(at)) || !hasForm(text, at)', 'false'],
      [
        '!isOpening(text.charAt(at)) || !hasForm(text, at)',
        '!isOpening(text.charAt(at)) && !hasForm(text, at)',
      ],
    ],
  },
  {
    file: 'domain/redaction/detectors/national-id.ts',
    why: 'it is neither of the two that are asked for',
    mutants: [["'other'", '""']],
  },
  {
    file: 'domain/redaction/detectors/national-ids.ts',
    why: 'the form of an id has as many characters, and a letter in the one place',
    mutants: [
      [
        '/^(?!000|666|9)\\d{3}(?!00)\\d\\d(?!0000)\\d{4}$/',
        '/(?!000|666|9)\\d{3}(?!00)\\d\\d(?!0000)\\d{4}$/',
      ],
      [
        '/^(?!000|666|9)\\d{3}(?!00)\\d\\d(?!0000)\\d{4}$/',
        '/^(?!000|666|9)\\d{3}(?!00)\\d\\d(?!0000)\\d{4}/',
      ],
      [
        '/^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\\d{6}[A-D]$/',
        '/(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\\d{6}[A-D]$/',
      ],
      [
        '/^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\\d{6}[A-D]$/',
        '/^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\\d{6}[A-D]/',
      ],
      [
        '/^[1-478]\\d\\d(?:0[1-9]|1[0-2]|[2-9]\\d)(?:\\d\\d|2[AB])\\d{8}$/',
        '/[1-478]\\d\\d(?:0[1-9]|1[0-2]|[2-9]\\d)(?:\\d\\d|2[AB])\\d{8}$/',
      ],
      [
        '/^[1-478]\\d\\d(?:0[1-9]|1[0-2]|[2-9]\\d)(?:\\d\\d|2[AB])\\d{8}$/',
        '/^[1-478]\\d\\d(?:0[1-9]|1[0-2]|[2-9]\\d)(?:\\d\\d|2[AB])\\d{8}/',
      ],
      ['/^[XYZ]/', '/[XYZ]/'],
      ['/^\\d{8}$/', '/\\d{8}$/'],
      ['/^\\d{8}$/', '/^\\d{8}/'],
    ],
  },
  {
    file: 'domain/redaction/detectors/national-ids.ts',
    why: 'no month has a day 60, nor a day without a number',
    mutants: [['day > 60', 'day >= 60']],
  },
];

import { textPatterns } from '../../../adapters/system/patterns/text-patterns.ts';
import { compileRules, patternDetector, redact } from '../../../application/redaction/redactor.ts';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { folded, narrowed } from '../../../domain/redaction/detectors/folded.ts';
import { RULE_KINDS } from '../../../domain/redaction/index.ts';
import { CARD, EMAIL, IBAN, IP, KEY, NATIONAL_ID, NOTHING, PHONE } from './corpus.ts';
import { describe, expect, it } from 'vitest';

const CORPUS = {
  email: EMAIL,
  phone: PHONE,
  card: CARD,
  iban: IBAN,
  ip: IP,
  national_id: NATIONAL_ID,
  key: KEY,
  nothing: NOTHING,
};

const KINDS = RULE_KINDS.filter((kind) => kind !== 'pattern');

const ALL = compileRules(
  KINDS.map((kind) => ({ name: kind, kind })),
  textPatterns,
);

interface Judged {
  /** Stretches that the sentences mark. */
  marked: number;
  /** No finding touches it. */
  missed: string[];
  /** Some of it stays. */
  partly: string[];
  /** It goes in the name of another kind. */
  misnamed: string[];
  /** Found where nothing is. */
  false: string[];
}

/** A sentence without its marks, and what they mark. */
const read = (sentence: string) => {
  const spans = [...sentence.matchAll(/«([^»]*)»/g)].map(({ 0: whole, index }, i) => {
    const start = index - 2 * i;
    return { start, end: start + whole.length - 2 };
  });
  return { text: sentence.replaceAll(/[«»]/g, ''), spans };
};

const judge = (kind: string, sentences: readonly string[]): Judged => {
  const judged: Judged = { marked: 0, missed: [], partly: [], misnamed: [], false: [] };
  for (const { text, spans } of sentences.map(read)) {
    const { findings } = redact(text, ALL);
    judged.marked += spans.length;
    for (const { start, end } of spans) {
      const touching = findings.filter((found) => found.start < end && found.end > start);
      const whole = touching.find((found) => found.start <= start && found.end >= end);
      const written = text.slice(start, end);
      if (touching.length === 0) judged.missed.push(written);
      else if (whole === undefined) judged.partly.push(written);
      else if (whole.kind !== kind) judged.misnamed.push(written);
    }
    for (const found of findings) {
      if (spans.some(({ start, end }) => found.start < end && found.end > start)) continue;
      judged.false.push(text.slice(found.start, found.end));
    }
  }
  return judged;
};

/** What is known to go wrong, by name: a detector that gets better or worse changes this table. */
const EXPECTED: { readonly [K in keyof typeof CORPUS]: Judged } = {
  email: {
    marked: 45,
    missed: ['jane@example dot org', 'jane at example dot org'],
    partly: ['jane@[192.0.2.1]'],
    misnamed: [],
    false: [],
  },
  phone: {
    marked: 85,
    missed: ['4155552671', '612345678', '612 345 678', '20 12 34 56', '512 345 678'],
    partly: [],
    misnamed: [],
    false: ['01 02 03 04'],
  },
  card: {
    marked: 44,
    missed: ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    partly: [],
    misnamed: [],
    false: [],
  },
  iban: { marked: 54, missed: [], partly: [], misnamed: [], false: [] },
  ip: { marked: 24, missed: [], partly: [], misnamed: [], false: [] },
  national_id: { marked: 50, missed: [], partly: [], misnamed: [], false: ['078-05-1120', '20241121-1234'] },
  key: {
    marked: 56,
    missed: ['letmein', 'password: correct horse battery staple'],
    partly: [],
    misnamed: ['letmein'],
    false: [],
  },
  nothing: { marked: 0, missed: [], partly: [], misnamed: [], false: ['036000291452', '4.2.1.3'] },
};

describe('the kinds, all of them at once, over sentences', () => {
  for (const kind of Object.keys(CORPUS) as (keyof typeof CORPUS)[]) {
    it(`miss and mistake of ${kind} what is written down here, and no more`, () => {
      expect(judge(kind, CORPUS[kind])).toEqual(EXPECTED[kind]);
    });
  }

  it('are tried on as many of them as the documentation says', () => {
    const sentences = Object.values(CORPUS).flat();
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences).toHaveLength(544);
  });
});

type Method = 'charAt' | 'slice';

/** Puts something in the place of a method of strings; answers what was there. */
const replace = (method: Method, by: PropertyDescriptor): PropertyDescriptor => {
  const before = Object.getOwnPropertyDescriptor(String.prototype, method) as PropertyDescriptor;
  // oxlint-disable-next-line no-extend-native -- strings alone know what is looked at; put back by who replaced it
  Object.defineProperty(String.prototype, method, by);
  return before;
};

/** How many single characters and copied pieces a detector looks at. */
const steps = (run: () => unknown): number => {
  let count = 0;
  const counted = (method: Method): (() => void) => {
    const original = ''[method] as (...args: unknown[]) => string;
    const before = replace(method, {
      configurable: true,
      writable: true,
      value: function (this: string, ...args: unknown[]): string {
        const result = Reflect.apply(original, this, args);
        count += result.length;
        return result;
      },
    });
    return () => void replace(method, before);
  };
  const restore = (['charAt', 'slice'] as const).map(counted);
  try {
    run();
  } finally {
    for (const put of restore) put();
  }
  return count;
};

const HARD = [
  '@',
  'a',
  'a@',
  'a.',
  'a@b.',
  '1',
  '1 ',
  '4111 ',
  '+',
  '(',
  '0 ',
  '030-',
  '1.',
  ':',
  'a:',
  'AB12 ',
  '-',
  '-----BEGIN A-----\n',
  'aA1',
  '=',
  '\u00AD',
  '４１',
  'ａ＠',
  'a\u200B@',
  '4\u2060',
  'DE89 3704 ',
  'DE ',
  '4111 1111 1111 1111 ',
  '4111\n',
  'call 415',
  'AB12CD',
  'aaaaaa99a99a',
  '86 095 742 719 ',
  ' (at) ',
  'a (dot) ',
  '"',
  '"a',
  'a..',
  'password=a1',
  'key: ',
  'a_',
  'Bearer a1',
  'ab://:',
  'on ::',
  '٤',
];

describe('the detectors take steps in proportion to the text', () => {
  for (const kind of Object.keys(DETECTORS) as (keyof typeof DETECTORS)[]) {
    const views = [DETECTORS[kind], narrowed(DETECTORS[kind]), folded(DETECTORS[kind])];
    it(`for ${kind}, whatever is repeated`, () => {
      const greedy = HARD.filter((unit) => {
        const of = (length: number) => {
          const text = unit.repeat(Math.ceil(length / unit.length));
          return steps(() => views.map((detector) => detector.find(text, 0)));
        };
        // Twice the text, twice the steps; a square would be four times.
        return of(16_000) > 2.3 * of(8_000) + 1_000;
      });
      expect(greedy).toEqual([]);
    });
  }

  it('for a pattern whose every search looks at all that follows', () => {
    const looked = (length: number): number => {
      let count = 0;
      const detector = patternDetector((text, from) => {
        count += text.length - from;
        return from < text.length ? { start: from, end: from + 1 } : null;
      });
      detector.find('a'.repeat(length), 0);
      return count;
    };
    expect(looked(40_000)).toBeLessThan(2.1 * looked(20_000));
  });
});

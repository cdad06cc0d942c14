import { describe, expect, it } from 'vitest';
import { patternDetector } from '../../../application/redaction/redactor.ts';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { folded, narrowed } from '../../../domain/redaction/detectors/folded.ts';

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

import { describe, expect, it } from 'vitest';
import { compileContentFilter } from '../../../adapters/crawler/pattern-compiler.ts';

describe('compileContentFilter', () => {
  it('passes a text that one pattern matches somewhere', () => {
    const filter = compileContentFilter(['order-\\d+', '(?i)invoice', '^start']);
    expect(['see order-17 here', 'INVOICE', 'start', 'a start', 'order-x'].map(filter)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(['(', 'a)|(b', '(?=a)', '(a)\\1', 'a{1001}', '*', '[z-a]', '(?<!a)b'])('refuses %s', (pattern) => {
    expect(() => compileContentFilter(['fine', pattern])).toThrow(
      expect.objectContaining({
        code: 'pattern_invalid',
        message: expect.stringContaining(JSON.stringify(pattern)),
      }),
    );
  });

  it.each(['(a|b|c|d|e){1000}', 'x{500}'.repeat(300), '(a*)*'.repeat(390), '((a?){1000})'])(
    'refuses the enormous pattern %.20s',
    (pattern) => {
      expect(() => compileContentFilter([pattern])).toThrow(/too large/);
    },
  );

  it('takes all that the interface allows: 2,000 characters, in one pattern or in hundreds', () => {
    const long = compileContentFilter(['a'.repeat(2000)]);
    expect([long('a'.repeat(2001)), long('a'.repeat(1999))]).toEqual([true, false]);
    const words = Array.from({ length: 250 }, (_, i) => `word-${100 + i}`);
    expect(words.join('').length).toBe(2000);
    const many = compileContentFilter(words);
    expect([many('here: word-349.'), many('here: word-350.')]).toEqual([true, false]);
  });

  it('says what there is too much of', () => {
    expect(() => compileContentFilter(['x{900}', 'y{900}', 'z{900}'])).toThrow(
      'the 3 patterns together: too large, it has 2700 repetitions by counts such as {9}, and 2000 are allowed: use fewer, or fewer patterns',
    );
  });

  it('answers at once where a backtracking engine would not', () => {
    const filter = compileContentFilter(['(x+x+)+y', '(a|a)*b$', '([a-c]+)+$d']);
    expect(filter(`${'x'.repeat(100_000)}${'a'.repeat(100_000)}`)).toBe(false);
  });

  it('reads the first 500,000 characters', () => {
    const filter = compileContentFilter(['needle']);
    expect(filter(`${'.'.repeat(499_994)}needle`)).toBe(true);
    expect(filter(`${'.'.repeat(499_995)}needle`)).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentKeywords, MAX_KEYWORDS } from '../../../domain/chunking/keywords.ts';
import { units } from './arbitrary-text.ts';

const unit = (headingPath: string[], text: string) => ({ headingPath, pageNumber: 0, text });

describe('documentKeywords', () => {
  it('leaves out stop words, numbers and words under three letters', () => {
    expect(documentKeywords('', [unit([], 'The 2024 of it is 12 ok with those')])).toEqual([]);
  });

  it('reads the first 20,000 characters of all units together', () => {
    expect(documentKeywords('', [unit([], `${'-'.repeat(19_988)} readable beyond`)])).toEqual(['readable']);
    const long = [
      unit([], '-'.repeat(19_000)),
      unit([], 'readable'.padEnd(1_500, '-')),
      unit([], 'beyond '.repeat(99)),
    ];
    expect(documentKeywords('', long)).toEqual(['readable']);
  });

  it.each([
    ['of ASCII', 'x'],
    ['of other letters', 'é'],
    ['beside a script without spaces', 'x', '東京'],
  ])('takes words of three to forty characters %s', (_, letter, beside = '') => {
    const words = [2, 3, 40, 41].map((length) => letter.repeat(length));
    expect(documentKeywords(`${beside} ${words.join(' ')}`, []).filter((word) => word !== beside)).toEqual([
      letter.repeat(3),
      letter.repeat(40),
    ]);
  });

  it('finds words in scripts without spaces', () => {
    expect(documentKeywords('東京の天気', [])).toEqual(['東京', '天気']);
  });

  it('gives at most eight different ones, the same each time', () => {
    fc.assert(
      fc.property(fc.string(), units, (title, document) => {
        const keywords = documentKeywords(title, document);
        expect(keywords.length).toBeLessThanOrEqual(MAX_KEYWORDS);
        expect(new Set(keywords).size).toBe(keywords.length);
        expect(documentKeywords(title, document)).toEqual(keywords);
      }),
    );
  });
});

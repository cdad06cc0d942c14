import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentKeywords, MAX_KEYWORDS } from '../../../domain/chunking/keywords.ts';
import { units } from './arbitrary-text.ts';

const unit = (headingPath: string[], text: string) => ({ headingPath, pageNumber: 0, text });

describe('documentKeywords', () => {
  it('puts the title first, then headings, then frequent words', () => {
    const text = `The planner ${'vacuum '.repeat(4)} and a planner`;
    expect(documentKeywords('Index Scans', [unit(['Costs'], text)])).toEqual([
      'index',
      'scans',
      'costs',
      'vacuum',
      'planner',
    ]);
  });

  it('leaves out stop words, numbers and words under three letters', () => {
    expect(documentKeywords('', [unit([], 'The 2024 of it is 12 ok with those')])).toEqual([]);
  });

  it('weighs six for the title, three for a heading, and the root of how often a word stands in the text', () => {
    const text = `${'vacuum '.repeat(37)}${'planner '.repeat(10)}${'cache '.repeat(8)}twice twice`;
    const words = ['vacuum', 'title', 'planner', 'part', 'chapter', 'cache', 'twice'];
    expect(documentKeywords('Title', [unit(['Part', 'Chapter'], text)])).toEqual(words);
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

  it.each([
    ["O'Neill re-uses v1.2_b 2nd", ["o'neill", 're-uses', 'v1.2_b']],
    ['L’été d’Éric naïf-né 9été é9_', ['l’été', 'd’éric', 'naïf-né', 'é9_']],
    ['Été. naïf! café_', ['été', 'naïf', 'café_']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['ພາສາລາວ', ['ພາສາ', 'ລາວ']],
    ['ភាសាខ្មែរ', ['ភាសាខ្មែរ']],
    ['မြန်မာစာ', ['မြန်မာ', 'စာ']],
    ['こんにちは', ['こんにちは']],
    ['カタカナ', ['カタカナ']],
    ['東 京都 2024年 ok no9 3dx', ['京都', 'no9']],
    ['é — ü', []],
  ])('finds the words of %s', (text, words) => {
    expect(documentKeywords(text, [])).toEqual(words);
  });

  it('counts a heading once, however many units stand under it', () => {
    const sections = Array.from({ length: 9 }, () => unit(['Setup'], 'x'));
    expect(documentKeywords('Title', sections)).toEqual(['title', 'setup']);
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

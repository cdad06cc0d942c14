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

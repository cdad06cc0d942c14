import { describe, expect, it } from 'vitest';
import { byTitleTerms } from '../../../application/search/reorder.ts';
import { createTitleScores } from '../../../domain/answer/title-scores.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { TITLED_OF } from '../../../domain/ranking/titled.ts';

const hit = (title: string, score: number) => ({ content: { title }, score, ranks: {} }) as SearchHit;
const titles = (hits: readonly SearchHit[]) => hits.map(({ content }) => content.title);

describe('hits by what the titles of their pages say', () => {
  const hits = [hit('Settings', 1), hit('Heating of Reels', 0.9), hit('Reels', 0.5)];

  it('come in another order, with scores that fall from 1 to 0', () => {
    const found = byTitleTerms('how do reels heat', hits, 0.2, createTitleScores());
    expect(titles(found)).toEqual(['Heating of Reels', 'Settings', 'Reels']);
    expect(found[0]!.score).toBeCloseTo((0.9 + 0.2) / 1.2, 12);
    expect(found[1]!.score).toBeCloseTo(1 / 1.2, 12);
  });

  it('stay as they are without a weight', () =>
    expect(byTitleTerms('how do reels heat', hits, 0, createTitleScores())).toBe(hits));

  it('are looked at up to the thirtieth', () => {
    const many = [...Array.from({ length: TITLED_OF }, () => hit('Settings', 0.9)), hit('Reels', 0.9)];
    expect(titles(byTitleTerms('reels', many, 0.2, createTitleScores())).at(-1)).toBe('Reels');
    expect(titles(byTitleTerms('reels', many.slice(1), 0.2, createTitleScores()))[0]).toBe('Reels');
  });
});

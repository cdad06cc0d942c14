import { describe, expect, it } from 'vitest';
import { byTitleTerms } from '../../../application/search/reorder.ts';
import { createTitleScores } from '../../../domain/answer/title-scores.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { TITLED_OF } from '../../../domain/ranking/titled.ts';

const hit = (title: string, score: number) => ({ content: { title }, score, ranks: {} }) as SearchHit;
const titles = (hits: readonly SearchHit[]) => hits.map(({ content }) => content.title);

describe('hits by what the titles of their pages say', () => {
  it('are looked at up to the thirtieth', () => {
    const many = [...Array.from({ length: TITLED_OF }, () => hit('Settings', 0.9)), hit('Reels', 0.9)];
    expect(titles(byTitleTerms('reels', many, 0.2, createTitleScores())).at(-1)).toBe('Reels');
    expect(titles(byTitleTerms('reels', many.slice(1), 0.2, createTitleScores()))[0]).toBe('Reels');
  });
});

import { expect, it } from 'vitest';
import { lookCloser } from '../../../application/search/retrieve.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const hit = (id: string, text: string, score: number) =>
  ({ content: { id, title: 'Reels', text }, score, ranks: {} }) as SearchHit;

it('looks again at hits where they stand by the first look, which weighs nothing any more', () => {
  const hits = [hit('a', 'Nothing of it.', 1), hit('b', 'Heat bends the tapes of a reel.', 0.9)];
  const scoreOf = (again: number) =>
    lookCloser('heat bends tapes', hits, { phrases: 0, sentence: 0.4, again }, readText)[0]!;
  expect(scoreOf(0).score).toBeCloseTo((0.9 + 0.4) / 1.4, 12);
  expect(scoreOf(0.6).score).toBeCloseTo((0.9 + 0.6) / 1.6, 12);
  expect(scoreOf(0.6).content.id).toBe('b');
});

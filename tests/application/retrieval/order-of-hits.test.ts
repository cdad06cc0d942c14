import { describe, expect, it } from 'vitest';
import { byLists } from '../../../application/retrieval/by-lists.ts';
import { lookCloser } from '../../../application/retrieval/look-closer.ts';
import type { SearchHit } from '../../../application/retrieval/search-request.ts';
import { stepBack } from '../../../application/retrieval/step-back.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const hit = (id: string, text: string, score: number, title = 'Reels') =>
  ({ content: { id, sourceId: id, title, text }, score, ranks: {} }) as SearchHit;
const orderOf = (hits: readonly SearchHit[]): string => hits.map(({ content }) => content.id).join('');
const scoresOf = (hits: readonly SearchHit[]): readonly number[] => hits.map(({ score }) => score);
/** Hits named by the letters, best first, a hundredth between them. */
const inOrder = (letters: string, text: (letter: string, at: number) => string): readonly SearchHit[] =>
  [...letters].map((letter, at) => hit(letter, text(letter, at), 0.9 - at / 100));

describe('lists of entries', () => {
  const INDEX = Array.from({ length: 12 }, (_, i) => `reel ${i}`).join('\n');
  const SAYS = 'A reel holds tape, and turns as long as somebody winds it.';
  const byList = (hits: readonly SearchHit[], query = 'reel') => byLists(query, hits, readText);

  it('fall behind what explains, at most to 0', () => {
    const hits = byList([hit('a', INDEX, 0.9), hit('b', SAYS, 0.7), hit('c', INDEX, 0.2)]);
    expect(orderOf(hits)).toBe('bac');
    expect(scoresOf(hits)).toEqual([0.7, expect.closeTo(0.6), 0]);
  });

  it('stay where nothing else was found, and where all explain', () => {
    for (const text of [INDEX, SAYS]) {
      const hits = inOrder('ab', () => text);
      expect(byList(hits)).toBe(hits);
    }
  });

  it('stay where their page is called like the query', () => {
    const hits = [hit('a', INDEX, 0.9, 'Reel'), hit('b', SAYS, 0.7)];
    expect(byList(hits)).toBe(hits);
  });

  it('are those of the first twelve', () => {
    const hits = byList(inOrder('abcdefghijklm', (letter) => ('am'.includes(letter) ? INDEX : SAYS)));
    expect(orderOf(hits)).toBe('bcdefghijklma');
    expect(hits[11]!.score).toBeCloseTo(0.78);
  });
});

describe('repeated texts', () => {
  const SAME = 'This is said by many of these pages.';
  const own = (letter: string): string => `Only page ${letter} says it in these words.`;

  it('step back by half, where two pages before have them', () => {
    const hits = stepBack(
      inOrder('abcd', (letter) => (letter === 'd' ? own(letter) : SAME)),
      readText,
    );
    expect(orderOf(hits)).toBe('abdc');
    expect(hits[3]!.score).toBeCloseTo(0.44);
  });

  it('leave the order as it is where there are none', () => {
    const hits = inOrder('abcd', own);
    expect(stepBack(hits, readText)).toBe(hits);
  });

  it('are looked for until twelve others were met, or among thirty', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGH';
    const among = (others: string): string =>
      orderOf(
        stepBack(
          inOrder(letters, (letter) => (others.includes(letter) ? own(letter) : SAME)),
          readText,
        ),
      );
    // The first two pages with it are no repetition.
    expect(among('cdefghijkl')).toBe(letters);
    expect(among('cdefghijk').slice(10, 16)).toBe('kEFGHl');
    expect(among('').slice(0, 6)).toBe('abEFGH');
  });
});

describe('a closer look', () => {
  it('is at the first twelve, and leaves those behind it as they were', () => {
    const hits = inOrder('abcdefghijklm', (letter) =>
      'lm'.includes(letter) ? 'Heat bends the tapes of a reel.' : 'Nothing of it.',
    );
    const look = { phrases: 0, sentence: 0.4, again: 0.6 };
    const looked = lookCloser('heat bends tapes', hits, look, readText);
    const scoreOf = (id: string): number => looked.find(({ content }) => content.id === id)!.score;
    expect(orderOf(looked)[0]).toBe('l');
    expect(scoreOf('m')).toBeCloseTo(hits[12]!.score / 1.6);
  });

  it('is none without a weight', () => {
    const hits = inOrder('ab', () => 'Heat bends the tapes of a reel.');
    const none = { phrases: 0, sentence: 0, again: 0.6 };
    expect(lookCloser('heat bends tapes', hits, none, readText)).toBe(hits);
  });
});

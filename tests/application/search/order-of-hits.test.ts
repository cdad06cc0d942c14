import { describe, expect, it } from 'vitest';
import { byDefinitions, byLikeness, byLists, byPages, bySigns } from '../../../application/search/reorder.ts';
import { lookCloser, stepBack } from '../../../application/search/retrieve.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const hit = (id: string, text: string, score: number, title = 'Reels') =>
  ({ content: { id, sourceId: id, title, text }, score, ranks: {} }) as SearchHit;
const orderOf = (hits: readonly SearchHit[]): string => hits.map(({ content }) => content.id).join('');
const scoresOf = (hits: readonly SearchHit[]): readonly number[] => hits.map(({ score }) => score);
/** Hits named by the letters, best first, a hundredth between them. */
const inOrder = (letters: string, text: (letter: string, at: number) => string): readonly SearchHit[] =>
  [...letters].map((letter, at) => hit(letter, text(letter, at), 0.9 - at / 100));

const own = (letter: string): string => `Only page ${letter} says it in these words.`;

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

describe('hits that gain', () => {
  it('come before those that they overtake, with a score of 1 at most: what has a sign as it was typed', () => {
    const hits = bySigns('\\flat', [hit('a', 'A flat note.', 0.9), hit('b', 'Type \\flat for it.', 0.8)]);
    expect(orderOf(hits)).toBe('ba');
    expect(scoresOf(hits)).toEqual([1, 0.9]);
  });

  it('so does what defines the name', () => {
    const found = [hit('a', 'recursion of tapes', 0.9), hit('b', 'recursion ¶\n\nHow often.', 0.85)];
    expect(orderOf(byDefinitions('recursion', found, 0.2))).toBe('ba');
    expect(scoresOf(byDefinitions('recursion', found, 0.2))).toEqual([1, 0.9]);
    expect(orderOf(byDefinitions('recursion', found, 0))).toBe('ab');
  });

  it('so do those of a page that has much', () => {
    const [a, b, c] = inOrder('abc', own) as [SearchHit, SearchHit, SearchHit];
    const shared = { ...c, content: { ...c.content, sourceId: 'b' } };
    expect(orderOf(byPages([a, b, shared], 0.3))).toBe('bca');
    const hits = [a, b, shared];
    expect(byPages(hits, 0)).toBe(hits);
  });

  it('so do those that are like others, of the first twenty, for a long query on a site of single pages', () => {
    const hits = inOrder('abcdefghijklmnopqrstuvw', own);
    let compared = 0;
    const alike = (texts: readonly unknown[]) => {
      compared = texts.length;
      return (one: number, other: number): number => (one > 0 && other > 0 && one < 3 && other < 3 ? 1 : 0);
    };
    expect(orderOf(byLikeness(hits, 9, alike)).slice(0, 4)).toBe('bcad');
    expect(compared).toBe(20);
    compared = 0;
    expect(byLikeness(hits, 2, alike)).toBe(hits);
    expect(compared).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { byLists } from '../../../application/search/reorder.ts';
import { stepBack } from '../../../application/search/retrieve.ts';
import type { SearchHit } from '../../../application/search/search-request.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const hit = (id: string, text: string, score: number, title = 'Reels') =>
  ({ content: { id, sourceId: id, title, text }, score, ranks: {} }) as SearchHit;
const orderOf = (hits: readonly SearchHit[]): string => hits.map(({ content }) => content.id).join('');
/** Hits named by the letters, best first, a hundredth between them. */
const inOrder = (letters: string, text: (letter: string, at: number) => string): readonly SearchHit[] =>
  [...letters].map((letter, at) => hit(letter, text(letter, at), 0.9 - at / 100));

const own = (letter: string): string => `Only page ${letter} says it in these words.`;

describe('lists of entries', () => {
  const INDEX = Array.from({ length: 12 }, (_, i) => `reel ${i}`).join('\n');
  const SAYS = 'A reel holds tape, and turns as long as somebody winds it.';
  const byList = (hits: readonly SearchHit[], query = 'reel') => byLists(query, hits, readText);

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

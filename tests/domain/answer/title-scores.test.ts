import { describe, expect, it } from 'vitest';
import { createTitleScores } from '../../../domain/answer/title-scores.ts';

const of = (question: string, ...titles: readonly string[]) =>
  createTitleScores(1)(
    question,
    titles.map((title) => ({ title })),
  );

describe('what titles say of a question', () => {
  it('is all where they have its terms and no others, whatever form they are in', () =>
    expect(of('How do I wind tapes?', 'Winding a tape', 'Tape winding')).toEqual([1, 1]));

  it('is less where they lack a term, or have more', () => {
    const [whole, less, more] = of('wind tapes', 'Winding tapes', 'Tapes', 'Winding tapes, reels and spools');
    expect(whole).toBe(1);
    expect(less).toBeCloseTo(2 / 3, 12);
    expect(more).toBeCloseTo(2 / 3, 12);
  });

  it('leaves out the number of a title, and what all of a site end in', () =>
    expect(of('wind tapes', '3.1. Winding Tapes — The Manual of Reels 3.1')).toEqual([1]));

  it('is nothing without a term in common, for no words and for no titles', () => {
    expect(of('wind tapes', 'Bread')).toEqual([0]);
    expect(of('', 'Bread')).toEqual([0]);
    expect(of('wind tapes', '')).toEqual([0]);
    expect(of('', '')).toEqual([0]);
    expect(of('wind tapes')).toEqual([]);
  });

  it('is the same for titles that are asked again, and when others were forgotten', () => {
    const scores = createTitleScores(2);
    const titles = ['Winding tapes', 'Tapes', 'Reels', 'Winding tapes'].map((title) => ({ title }));
    for (let again = 0; again < 3; again++)
      expect(scores('wind tapes', titles)).toEqual([1, expect.closeTo(2 / 3), 0, 1]);
  });
});

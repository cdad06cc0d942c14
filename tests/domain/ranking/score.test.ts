import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  type Features,
  featuresOf,
  FULL_SCORE,
  scoreOf,
  WEIGHTS,
} from '../../../domain/ranking/score.ts';

const candidate = (text: string, more: Partial<Candidate> = {}): Candidate => ({
  page: text,
  title: 'Settings',
  text,
  score: 0.5,
  ...more,
});
/** Values of one feature for candidates with these texts. */
const valuesOf = (feature: keyof Features, query: string, candidates: readonly Candidate[]) =>
  featuresOf(query, candidates).map((of) => of[feature]);

describe('the score', () => {
  it('rises with each feature, whatever the others are', () => {
    const names = Object.keys(WEIGHTS) as (keyof Features)[];
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const features = fc.record(Object.fromEntries(names.map((name) => [name, share])));
    fc.assert(
      fc.property(features, fc.constantFrom(...names), (given, name) => {
        const one = given as unknown as Features;
        expect(scoreOf({ ...one, [name]: 1 })).toBeGreaterThanOrEqual(scoreOf({ ...one, [name]: 0 }));
      }),
    );
    const all = Object.fromEntries(names.map((name) => [name, 1])) as unknown as Features;
    expect(FULL_SCORE).toBeCloseTo(scoreOf({ ...all, exactTitle: 0, definition: 0 }));
  });
});

describe('the features of candidates', () => {
  it('are from 0 to 1, whatever the texts are', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '.', '¶', 'reel ', 'tape '),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.array(fc.tuple(text, text), { maxLength: 4 }), (query, texts) => {
        const all = featuresOf(
          query,
          texts.map(([title, body]) => candidate(body, { title })),
        );
        expect(all).toHaveLength(texts.length);
        for (const value of all.flatMap((one) => Object.values(one))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it.each([
    ['Reels of 2004-08-29', 1],
    ['3.1. Reels of 2004-08-29', 1],
    ['Reels of 2004-08-29 — The manual 3.1', 1],
    ['reels OF 2004 08 29', 1],
    ['Reels of 2004', 0],
  ])('tell a title that is the query: %j', (title, is) =>
    expect(valuesOf('exactTitle', 'reels of 2004-08-29', [candidate('x', { title })])).toEqual([is]),
  );

  it('have no exact title for a query without words', () =>
    expect(valuesOf('exactTitle', '!', [candidate('x', { title: '?' })])).toEqual([0]));

  it('compare the terms of a title with those of the query, in any form', () => {
    const titles = ['Winding a reel', 'Reels', 'Tapes'].map((title) => candidate('x', { title }));
    const [whole, part, none] = valuesOf('titleTerms', 'How are reels wound or a reel winding?', titles);
    expect(part).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(part!);
    expect(none).toBe(0);
  });

  it('prefer terms in one sentence to the same terms far apart', () => {
    const near = candidate('The reel winds the tape.');
    const beside = candidate('The reel turns. The tape is long.');
    const apart = candidate('The reel turns. Nothing else moves. The tape is long.');
    const [a, b, c] = valuesOf('sentence', 'reel tape', [near, beside, apart]);
    expect(a).toBe(1);
    expect(b).toBeCloseTo(0.75);
    expect(c).toBeCloseTo(0.5);
  });

  it('prefer neighbouring terms to the same terms in another order', () => {
    const [together, apart] = valuesOf('phrase', 'tape reel', [
      candidate('A tape reel.'),
      candidate('A reel of tape.'),
    ]);
    expect([together, apart]).toEqual([1, 0]);
  });

  it('support candidates whose page has others, but not where the query is one word', () => {
    const all = [
      candidate('a', { page: 'single', score: 1 }),
      candidate('b', { page: 'several', score: 0.9 }),
      candidate('c', { page: 'several', score: 0.8 }),
    ];
    expect(valuesOf('page', 'tape reels', all)).toEqual([expect.closeTo(1 / 1.54), 1, 1]);
    expect(valuesOf('page', 'reels', all)).toEqual([0, 0, 0]);
  });

  it('tell the definition of a term from an explanation under a heading, and from a mention', () => {
    const defined = candidate('recursion ¶\n\nHow often a reel winds itself again, at most.');
    const headed = candidate('recursion\n\nHow often a reel winds itself again, at most.');
    const mentioned = candidate('A reel winds itself again by recursion of tapes.');
    const all = [defined, headed, mentioned];
    expect(valuesOf('definition', 'recursion', all)).toEqual([1, 0.5, 0]);
    expect(valuesOf('definition', 'What is recursion?', all)).toEqual([1, 0.5, 0]);
    expect(valuesOf('definition', 'tape', all)).toEqual([0, 0, 0]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGES_OF, withPages } from '../../../domain/ranking/page-evidence.ts';
import { afterLook, leastBefore, weightOfLook } from '../../../domain/ranking/closer-look.ts';
import { ALIKE_OF, withAlike } from '../../../domain/ranking/likeness.ts';
import { collapse, repeatedIn } from '../../../domain/ranking/fuse.ts';

interface Hit {
  readonly page: string;
  readonly score: number;
}
const pageOf = ({ page }: Hit): string => page;
const anyRanking = fc
  .array(
    fc.record({
      page: fc.constantFrom('a', 'b', 'c', 'd'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    {
      maxLength: 60,
    },
  )
  .map((hits) => hits.toSorted((a, b) => b.score - a.score));

describe('hits with their pages', () => {
  it('keep their scores where every page has one, and the best scores 1', () => {
    const hits = ['a', 'b', 'c'].map((page, i) => ({ page, score: 1 - i * 0.25 }));
    for (const [i, score] of withPages(hits, pageOf, 0.3).entries())
      expect(score).toBeCloseTo(1 - i * 0.25, 12);
  });

  it('do not depend on what comes behind the first 30', () => {
    const first = Array.from({ length: PAGES_OF }, (_, i) => ({ page: `p${i}`, score: 1 - i * 0.01 }));
    const behind = Array.from({ length: 20 }, () => ({ page: 'p5', score: 0.5 }));
    const scores = withPages([...first, ...behind], pageOf, 0.3);
    expect(scores.slice(0, PAGES_OF)).toEqual(withPages(first, pageOf, 0.3));
    expect(scores[PAGES_OF]).toBeCloseTo(0.5 / 1.3, 12);
  });

  it('stay from 0 to 1, and in order within a page', () => {
    fc.assert(
      fc.property(anyRanking, (hits) => {
        const scores = withPages(hits, pageOf, 0.3);
        expect(scores.every((score) => score >= 0 && score <= 1 + 1e-12)).toBe(true);
        for (const page of ['a', 'b', 'c', 'd']) {
          const own = scores.filter((_, i) => hits[i]?.page === page);
          expect(own).toEqual(own.toSorted((a, b) => b - a));
        }
      }),
    );
  });

  it('are none where nothing was found, and zeros stay zeros', () => {
    expect(withPages([], pageOf, 0.3)).toEqual([]);
    expect(withPages([{ page: 'a', score: 0 }], pageOf, 0.3)).toEqual([0]);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyWeight = fc.integer({ min: 0, max: 12 }).map((terms) => weightOfLook(terms));

describe('a closer look at a hit', () => {
  it('loses no hit that reaches a least score by it', () => {
    fc.assert(
      fc.property(share, share, share, anyWeight, (score, bySentence, least, w) => {
        fc.pre(afterLook(score, bySentence, w) >= least);
        expect(score).toBeGreaterThanOrEqual(leastBefore(least, w) - 1e-12);
      }),
    );
  });
});

const scored = (...scores: readonly number[]) => scores.map((score) => ({ score }));

describe('hits with what others like them say', () => {
  it('hear the five that say most, and not themselves', () => {
    const likeness = (one: number, other: number): number => (one === 0 || other === 0 ? 0.5 : 0);
    const hits = scored(1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4);
    const heard = 1 + (0.5 * (0.9 + 0.8 + 0.7 + 0.6 + 0.5)) / 5;
    const [first, second] = withAlike(hits, likeness, 1);
    expect(first).toBe(1);
    expect(second).toBeCloseTo((0.9 + 0.5 / 5) / heard, 12);
  });

  it('stay from 0 to the best, and before all behind the first 20', () => {
    const ranked = fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
      .map((scores) => scores.toSorted((a, b) => b - a));
    const likenesses = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 400,
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        ranked,
        likenesses,
        fc.double({ min: 0, max: 1.25, noNaN: true }),
        (scores, like, weight) => {
          const likeness = (one: number, other: number): number =>
            like[Math.min(one, other) * ALIKE_OF + Math.max(one, other)] ?? 0;
          const after = withAlike(scored(...scores), likeness, weight);
          expect(after).toHaveLength(scores.length);
          const first = after.slice(0, ALIKE_OF);
          const least = Math.min(Infinity, ...first);
          expect(Math.max(0, ...first)).toBeCloseTo(scores[0] ?? 0, 12);
          for (const [i, score] of after.slice(ALIKE_OF).entries()) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(least + 1e-12);
            expect(score).toBeLessThanOrEqual((scores[ALIKE_OF + i] ?? 0) + 1e-12);
          }
        },
      ),
    );
  });
});

/** `a1` is the first content of source a. */
const places = (best: readonly string[], textOf = (name: string): string => name): string =>
  collapse(best, (name) => ({ sourceId: name.slice(0, 1), text: textOf(name) })).join(' ');

describe('collapse', () => {
  it('leaves a source two of the first ten places', () => {
    const best = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'd1', 'e1', 'f1', 'g1', 'h1', 'i1', 'j1', 'a5', 'k1'];
    expect(places(best)).toBe('a1 a2 b1 c1 d1 e1 f1 g1 h1 i1 a3 a4 j1 a5 k1');
  });

  it('keeps one of two that are the same, where all others have words too', () =>
    expect(places(['a1', 'b1', 'c1'], (name) => (name === 'b1' ? 'other' : 'same'))).toBe('a1 b1'));

  it('counts what is word for word the same once, the best of it', () => {
    const texts: { readonly [name: string]: string } = {
      a1: 'Same, text!',
      b1: 'other',
      c1: 'same text',
      d1: '…',
      e1: '?',
      f1: 'one two three four five x ab',
      g1: 'one two three four five xa b',
    };
    expect(places(Object.keys(texts), (name) => texts[name] ?? '')).toBe('a1 b1 d1 e1 f1 g1');
  });
});

const OPTION = 'Shows how many lines were changed.';
const hit = (page: string, ...texts: string[]) => ({ page, pieces: texts.map((text) => ({ text })) });
const repeatedOf = (...hits: ReturnType<typeof hit>[]): boolean[] => hits.map(repeatedIn((one) => one));

describe('a text is repeated', () => {
  it('from the third page on that has it', () => {
    const pages = ['log', 'diff', 'show', 'blame'].map((page) => hit(page, OPTION));
    expect(repeatedOf(...pages)).toEqual([false, false, true, true]);
  });

  it('by other pages, not by its own', () => {
    const hits = [hit('log', OPTION), hit('log', OPTION), hit('diff', OPTION), hit('log', OPTION)];
    expect(repeatedOf(...hits)).toEqual([false, false, false, false]);
  });

  it('never by what is short, such as the name of an option', () => {
    const pages = ['log', 'diff', 'show'].map((page) => hit(page, '--stat'));
    expect(repeatedOf(...pages)).toEqual([false, false, false]);
    const long = (length: number) => ['log', 'diff', 'show'].map((page) => hit(page, 'b'.repeat(length)));
    expect([19, 20].map((length) => repeatedOf(...long(length)).at(-1))).toEqual([false, true]);
  });
});

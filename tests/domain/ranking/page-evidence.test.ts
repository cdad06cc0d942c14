import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGES_OF, sharingOf, weightOfPages, withPages } from '../../../domain/ranking/page-evidence.ts';

interface Hit {
  readonly page: string;
  readonly score: number;
}
const pageOf = ({ page }: Hit): string => page;
const ranked = fc
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

describe('what pages count', () => {
  it.each(['max_wal_size', 'std::move', 'getUserById'])(
    'is nothing for %s: a passage defines it',
    (query) => {
      expect(weightOfPages(query)).toBe(0);
    },
  );

  it.each(['tags', 'How do I list tags?', 'max_wal_size default'])('is something for %s', (query) => {
    expect(weightOfPages(query)).toBe(0.3);
  });
});

describe('how far pages have several hits', () => {
  const alone = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
  const shared = (count: number) => Array.from({ length: count }, () => 'one');

  it('is nothing where each hit has its own, and all where half share theirs', () => {
    expect(sharingOf(alone(20))).toBe(0);
    expect(sharingOf([...alone(15), ...shared(5)])).toBeCloseTo(0.5, 12);
    expect(sharingOf([...alone(10), ...shared(10)])).toBe(1);
    expect(sharingOf(shared(20))).toBe(1);
  });

  it('is told by the first 20', () => expect(sharingOf([...alone(20), ...shared(40)])).toBe(0));

  it('is all for one hit of two of a page, and for none', () =>
    expect([sharingOf(shared(2)), sharingOf([])]).toEqual([1, 1]));
});

describe('hits with their pages', () => {
  it('come first where much of their page was found', () => {
    const hits = [
      { page: 'chance', score: 1 },
      { page: 'topic', score: 0.95 },
      { page: 'topic', score: 0.9 },
      { page: 'topic', score: 0.8 },
    ];
    // 0.95 + 0.9 * 0.8 + 0.8 * 0.64 is the best page.
    const sum = 0.95 + 0.72 + 0.512;
    expect(withPages(hits, pageOf, 0.3)).toEqual([
      (1 + 0.3 / sum) / 1.3,
      (0.95 + 0.3) / 1.3,
      (0.9 + 0.3) / 1.3,
      (0.8 + 0.3) / 1.3,
    ]);
  });

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
      fc.property(ranked, (hits) => {
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

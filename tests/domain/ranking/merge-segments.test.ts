import { describe, expect, it } from 'vitest';
import { chooseMerge, type MergeCandidate } from '../../../domain/ranking/merge-segments.ts';
import fc from 'fast-check';

const segments = (...sizes: readonly number[]): MergeCandidate[] =>
  sizes.map((contents, segment) => ({ segment, contents, dead: 0 }));

/** Merges until there is nothing to merge; counts how often contents were rewritten. */
const settle = (
  start: readonly MergeCandidate[],
): { readonly left: readonly MergeCandidate[]; readonly rewritten: number } => {
  let left = start;
  let rewritten = 0;
  for (let chosen = chooseMerge(left, 64); chosen.length > 0; chosen = chooseMerge(left, 64)) {
    const first = left.indexOf(chosen[0] as MergeCandidate);
    expect(left.slice(first, first + chosen.length)).toEqual(chosen);
    const contents = chosen.reduce((sum, segment) => sum + segment.contents - segment.dead, 0);
    rewritten += contents;
    const merged = contents === 0 ? [] : [{ segment: 1_000_000 + rewritten, contents, dead: 0 }];
    left = [...left.slice(0, first), ...merged, ...left.slice(first + chosen.length)];
  }
  return { left, rewritten };
};

describe('chooseMerge', () => {
  it('leaves few neighbours alone and merges eight', () => {
    expect(chooseMerge(segments(1, 1, 1, 1, 1, 1, 1), 64)).toEqual([]);
    expect(chooseMerge(segments(1, 1, 1, 1, 1, 1, 1, 1), 64)).toHaveLength(8);
    expect(chooseMerge(segments(5000, 1, 1, 1, 1, 1, 1, 1, 1), 64).map(({ segment }) => segment)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });

  it('takes no more at once than it is allowed, nor than one segment may hold', () => {
    expect(chooseMerge(segments(...Array(50).fill(2)), 10)).toHaveLength(10);
    const large = chooseMerge(segments(...Array(20).fill(6_000)), 64);
    expect(large.reduce((sum, { contents }) => sum + contents, 0)).toBe(30_000);
    expect(chooseMerge(segments(...Array(20).fill(30_000)), 64)).toEqual([]);
  });

  it('rewrites a segment alone once a fifth of it is dead', () => {
    expect(chooseMerge([{ segment: 1, contents: 100, dead: 19 }], 64)).toEqual([]);
    expect(chooseMerge([{ segment: 1, contents: 100, dead: 20 }], 64)).toHaveLength(1);
    expect(chooseMerge([{ segment: 1, contents: 0, dead: 0 }], 64)).toEqual([]);
    expect(chooseMerge([{ segment: 1, contents: 100, dead: 1, overdue: true }], 64)).toHaveLength(1);
  });

  it('does not rewrite a large segment for a few small ones beside it', () => {
    const chosen = (...sizes: readonly number[]) =>
      chooseMerge(segments(...sizes), 16).map(({ contents }) => contents);
    expect(chosen(200, 1, 1, 1, 1, 1, 1, 1)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(chosen(200, 30, 1, 1, 2, 1, 1, 1)).toEqual([1, 1, 2, 1, 1, 1]);
    expect(chosen(200, 150, 60, 40, 12, 8, 2, 2)).toHaveLength(8);
  });

  it('rewrites contents a few times where documents come one by one, and some are replaced', () => {
    let [left, rewritten]: [readonly MergeCandidate[], number] = [segments(200), 0];
    for (let i = 0; i < 2_000; i++) {
      // Each replaces a content of the largest, which has the oldest.
      const [first, ...rest] = left.toSorted((a, b) => b.contents - b.dead - (a.contents - a.dead));
      const dying = { ...(first as MergeCandidate), dead: (first?.dead ?? 0) + 1 };
      const places = [dying, ...rest].toSorted(
        (a, b) =>
          left.findIndex((of) => of.segment === a.segment) - left.findIndex((of) => of.segment === b.segment),
      );
      const settled = settle([...places, { segment: 10_000_000 + i, contents: 1, dead: 0 }]);
      left = settled.left;
      rewritten += settled.rewritten;
      expect(left.length).toBeLessThan(8);
    }
    expect(rewritten / 2_000).toBeLessThan(10);
  });

  it('comes to an end with a bounded number of segments, rewriting each content a few times', () => {
    const size = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5_000 }), fc.nat({ max: 40_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 300 }), (sizes) => {
        const { left } = settle(segments(...sizes));
        const total = sizes.reduce((sum, contents) => sum + contents, 0);
        expect(left.reduce((sum, { contents }) => sum + contents, 0)).toBe(total);
        expect(left.length).toBeLessThan(60 + total / 8_000);
      }),
    );
    const { left, rewritten } = settle(segments(...Array(10_000).fill(1)));
    expect(left.length).toBeLessThan(30);
    expect(rewritten).toBeLessThan(5 * 10_000);
  });
});

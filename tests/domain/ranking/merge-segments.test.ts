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

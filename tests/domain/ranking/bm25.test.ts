import { describe, expect, it } from 'vitest';
import { addTextScores, addTitleScores, type Field, highestShares } from '../../../domain/ranking/bm25.ts';
import { packStatistics } from '../../../domain/ranking/postings.ts';

const lengths = { perTextLength: 0.01, perTitleLength: 0.5 };
/** Two contents have the term: one three times in 50 terms, one once in 200 and twice in its title of four. */
const of = {
  start: 32,
  slots: Uint32Array.of(1, 4),
  statistics: Int32Array.of(packStatistics(3, 50, 0, 2), packStatistics(1, 200, 2, 4)),
  bits: null,
};
const added = (add: typeof addTextScores): readonly number[] => {
  const sums = new Float64Array(40).fill(1);
  add(sums, of, 2, lengths);
  const others = sums.filter((_, slot) => slot !== 33 && slot !== 36);
  expect(new Set(others)).toEqual(new Set([1]));
  return [sums[33] ?? 0, sums[36] ?? 0];
};

describe('the score of a term', () => {
  it('is added to what its contents have: its frequency in the text, saturated, against the length', () => {
    const [often, once] = added(addTextScores);
    expect(often).toBeCloseTo(1 + (2 * 3) / (3 + 0.3 + 0.5), 12);
    expect(once).toBeCloseTo(1 + (2 * 1) / (1 + 0.3 + 2), 12);
  });

  it('is that of the title in the same way, and nothing where the title has it not', () => {
    const [nowhere, twice] = added(addTitleScores);
    expect(nowhere).toBe(1);
    expect(twice).toBeCloseTo(1 + (2 * 2) / (2 + 0.3 + 2), 12);
  });

  it('takes the longest title and the most frequent term that statistics hold', () => {
    const sums = new Float64Array(1);
    const statistics = Int32Array.of(packStatistics(127, 8_191, 7, 255));
    addTitleScores(sums, { start: 0, slots: Uint32Array.of(0), statistics, bits: null }, 1, {
      perTextLength: 0,
      perTitleLength: 1,
    });
    expect(sums[0]).toBeCloseTo(7 / (7 + 0.3 + 255), 12);
  });
});

describe('the highest share of a block', () => {
  const offsets = Uint32Array.of(3, 31, 32, 100);
  const statistics = Int32Array.of(
    packStatistics(1, 50, 4, 9),
    packStatistics(3, 500, 5, 200),
    packStatistics(2, 20, 0, 1),
    packStatistics(9, 300, 1, 3),
  );

  it.each([
    ['text', addTextScores, 0.01],
    ['title', addTitleScores, 0.5],
  ] as const)('is the most that the %s of one of its contents adds', (field: Field, add, perLength) => {
    const sums = new Float64Array(128);
    add(sums, { start: 0, slots: offsets, statistics, bits: null }, 1, lengths);
    const seen: (readonly [block: number, share: number])[] = [];
    highestShares({ offsets, statistics }, field, perLength, (...each) => seen.push(each));
    const most = (block: number): number => Math.max(...sums.subarray(block * 32, block * 32 + 32));
    expect(seen).toEqual([0, 1, 3].map((block) => [block, most(block)]));
  });
});

import { describe, expect, it } from 'vitest';
import { type Example, fit } from './logistic.ts';

const FREE = 1e-9;
const times = (count: number, values: readonly number[], holds: boolean): readonly Example[] =>
  Array.from({ length: count }, () => ({ values, holds, weight: 1 }));
/** Holds of three in four where the value is 1, and of one in four where it is 0. */
const QUARTERS = [
  ...times(3, [1], true),
  ...times(1, [1], false),
  ...times(1, [0], true),
  ...times(3, [0], false),
];

describe('a logistic regression', () => {
  it('finds the odds that examples have', () => {
    const { counts, base } = fit(QUARTERS, FREE);
    expect(base).toBeCloseTo(Math.log(1 / 3), 6);
    expect(counts[0]).toBeCloseTo(Math.log(9), 6);
  });

  it('tells two causes apart that often come together', () => {
    // Log odds of 2 x − y − 0.5, in as many examples as these odds make of a thousand.
    const examples = [
      [0, 0, 400],
      [1, 0, 100],
      [0, 1, 100],
      [1, 1, 400],
    ].flatMap(([x = 0, y = 0, count = 0]) => {
      const p = 1 / (1 + Math.exp(-(2 * x - y - 0.5)));
      const one = { values: [x, y] };
      return [
        { ...one, holds: true, weight: count * p },
        { ...one, holds: false, weight: count * (1 - p) },
      ];
    });
    const { counts, base } = fit(examples, FREE);
    expect([...counts, base].map((count) => Number(count.toFixed(4)))).toEqual([2, -1, -0.5]);
  });

  it('takes a weight for as many examples', () => {
    const heavy = [...times(1, [1], false), ...times(1, [0], true)];
    const weighed = [
      ...heavy,
      { values: [1], holds: true, weight: 3 },
      { values: [0], holds: false, weight: 3 },
    ];
    const [one, other] = [fit(weighed), fit(QUARTERS)];
    expect(one.counts[0]).toBeCloseTo(other.counts[0]!, 9);
    expect(one.base).toBeCloseTo(other.base, 9);
  });

  it('counts in bounds what tells all examples apart, and for nothing what tells none', () => {
    const { counts, base } = fit([...times(5, [1, 1], true), ...times(5, [0, 1], false)], 2);
    // What more of it would gain is what it costs.
    const missed = 5 / (1 + Math.exp(base + counts[0]!));
    expect(counts[0]).toBeGreaterThan(0.5);
    expect(2 * counts[0]!).toBeCloseTo(missed, 6);
    expect(counts[1]).toBeCloseTo(0, 6);
  });
});

/** What was seen, whether it holds (1) or not (0), and how much this counts. */
export interface Example {
  readonly values: readonly number[];
  readonly holds: boolean;
  readonly weight: number;
}
/** How much each value counts, and what is added to their sum: above 0, it rather holds. */
export interface Fit {
  readonly counts: readonly number[];
  readonly base: number;
}

/** Half of it times the square of each count is the price of counts, so that those that tell nothing stay near 0. */
const PRICE = 1;
const STEPS = 50;
const ENOUGH = 1e-9;

/**
 * Logistic regression by Newton's method (Hastie, Tibshirani & Friedman 2009, 4.4.1), with a small price on large counts,
 * without which examples that can be told apart have no best counts. The same examples, in any order, give the same fit,
 * but for rounding.
 */
export const fit = (examples: readonly Example[], price = PRICE): Fit => {
  const size = (examples[0]?.values.length ?? 0) + 1;
  let counts = Array.from({ length: size }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const { slope, curve } = slopeAt(counts, examples, price);
    const change = solved(curve, slope);
    counts = counts.map((count, i) => count + change[i]!);
    if (change.every((one) => Math.abs(one) < ENOUGH)) break;
  }
  return { counts: counts.slice(1), base: counts[0]! };
};

const sumOf = (counts: readonly number[], values: readonly number[]): number =>
  counts.reduce((sum, count, i) => sum + count * values[i]!, 0);

const slopeAt = (counts: readonly number[], examples: readonly Example[], price: number) => {
  const slope = counts.map((count, i) => (i === 0 ? 0 : -price * count));
  const curve = counts.map((_, i) => counts.map((__, j) => (i === j ? (i === 0 ? 1e-9 : price) : 0)));
  for (const { values, holds, weight } of examples) {
    const row = [1, ...values];
    const p = 1 / (1 + Math.exp(-sumOf(counts, row)));
    const off = weight * ((holds ? 1 : 0) - p);
    const steep = weight * p * (1 - p);
    for (const [i, one] of row.entries()) {
      slope[i]! += off * one;
      for (const [j, other] of row.entries()) curve[i]![j]! += steep * one * other;
    }
  }
  return { slope, curve };
};

/** The x of A x = b, by elimination with the largest pivot. */
const solved = (a: readonly (readonly number[])[], b: readonly number[]): readonly number[] => {
  const rows = a.map((row, i) => [...row, b[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i += 1) {
    let top = i;
    for (let j = i + 1; j < size; j += 1) if (Math.abs(rows[j]![i]!) > Math.abs(rows[top]![i]!)) top = j;
    [rows[i], rows[top]] = [rows[top]!, rows[i]!];
    for (let j = 0; j < size; j += 1) {
      if (j === i) continue;
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k <= size; k += 1) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
};

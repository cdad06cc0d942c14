/** A direction in one byte per dimension: `code * scale` is the unit vector, each number off by half a `scale` at most. */
export interface QuantisedVector {
  readonly code: Int8Array;
  readonly scale: number;
}

const STEPS = 127;

/** @param vector of any length but 0 */
export const quantise = (vector: Float32Array): QuantisedVector => {
  let squares = 0;
  let greatest = 0;
  for (const value of vector) {
    squares += value * value;
    greatest = Math.max(greatest, Math.abs(value));
  }
  const code = Int8Array.from(vector, (value) => Math.round((value / greatest) * STEPS));
  return { code, scale: greatest / Math.sqrt(squares) / STEPS };
};

/**
 * Sum of the products of two codes, the second beginning at `offset`. Whole numbers throughout, which is what the
 * engine multiplies fastest: up to 130,000 dimensions they cannot overflow. Two sums at a time take half as long as one.
 */
export const product = (query: Int8Array, codes: Int8Array, offset: number): number => {
  const { length } = query;
  const even = length - (length % 2);
  let [a, b] = [0, 0];
  for (let i = 0; i < even; i += 2) {
    a = (a + Math.imul(query[i] as number, codes[offset + i] as number)) | 0;
    b = (b + Math.imul(query[i + 1] as number, codes[offset + i + 1] as number)) | 0;
  }
  return even === length ? a + b : a + b + (query[even] as number) * (codes[offset + even] as number);
};

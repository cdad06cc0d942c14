import type { Pooling } from '../weights/recipe.ts';

/** What a graph answers for texts of `length` tokens each, padding included: `width` numbers for each token. */
export interface TokenVectors {
  readonly numbers: Float32Array;
  readonly length: number;
  readonly width: number;
}

/**
 * The vector of the text at `place`, of length 1, from those of its first `tokens` tokens: padding comes behind.
 *
 * @throws where it has no direction
 */
export const pooled = (
  { numbers, length, width }: TokenVectors,
  place: number,
  tokens: number,
  pooling: Exclude<Pooling, 'given'>,
): Float32Array => {
  const token = (at: number): Float32Array => {
    const from = (place * length + at) * width;
    return numbers.subarray(from, from + width);
  };
  switch (pooling) {
    case 'cls':
      return normalized(token(0));
    case 'last':
      return normalized(token(Math.max(0, tokens - 1)));
    case 'mean': {
      const sums = new Float32Array(width);
      for (let at = 0; at < tokens; at += 1) {
        const vector = token(at);
        for (let i = 0; i < width; i += 1) sums[i]! += vector[i]!;
      }
      return normalized(sums);
    }
    case 'max': {
      const most = new Float32Array(width).fill(-Infinity);
      for (let at = 0; at < tokens; at += 1) {
        const vector = token(at);
        for (let i = 0; i < width; i += 1) most[i] = Math.max(most[i]!, vector[i]!);
      }
      return normalized(most);
    }
  }
};

/** A copy of length 1: only directions are compared. @throws where it has none */
export const normalized = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && Number.isFinite(length))) throw new Error('its vector has no direction');
  return vector.map((value) => value / length);
};

import { Unusable } from '../../../http-client/ask.ts';

/**
 * The vectors of an answer `{data: [{index, embedding}]}`, in the order of the texts, whatever order they came in.
 *
 * @throws Unusable
 */
export const vectorsOf = (answer: unknown, count: number): readonly Float32Array[] => {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length !== count) {
    throw new Unusable(`answers ${Array.isArray(data) ? data.length : 'no'} vectors for ${count} texts`);
  }
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const [place, item] of (data as readonly unknown[]).entries()) {
    const { index = place, embedding } = (item ?? {}) as {
      readonly index?: unknown;
      readonly embedding?: unknown;
    };
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count;
    if (!isPlace || vectors[index] !== undefined)
      throw new Unusable('answers vectors whose places cannot be told');
    vectors[index] = vectorOf(embedding);
  }
  return vectors.map((vector) => vector ?? new Float32Array());
};

const vectorOf = (embedding: unknown): Float32Array => {
  const numbers = Array.isArray(embedding) ? (embedding as readonly unknown[]) : [];
  const usable = numbers.length > 0 && numbers.every((value) => Number.isFinite(value));
  const vector = usable ? Float32Array.from(numbers as readonly number[]) : new Float32Array();
  if (!vector.some((value) => value !== 0)) throw new Unusable('answers a vector without a direction');
  return vector;
};

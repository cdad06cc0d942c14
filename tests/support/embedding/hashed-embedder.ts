import { createHash } from 'node:crypto';
import type { Embedder } from '../../../application/ports/embedder.ts';

/**
 * For tests alone: an embedder without a model. Words and their trigrams of characters fall, with a sign, on dimensions
 * by their hash, so that texts which share words or parts of them point alike. It knows no meanings.
 */
export const createHashedEmbedder = (model = 'hashed', dimensions = 64): Embedder => ({
  model,
  dimensions,
  embed: async (texts, _kind, signal) => {
    signal.throwIfAborted();
    return texts.map((text) => hashedVector(text, dimensions, model));
  },
});

export const hashedVector = (text: string, dimensions = 64, seed = 'hashed'): Float32Array => {
  const vector = new Float32Array(dimensions);
  const counts = new Map<string, number>();
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words) {
    const marked = `^${word}$`;
    const grams = Array.from({ length: marked.length - 2 }, (_, i) => marked.slice(i, i + 3));
    for (const part of [marked, ...grams]) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  for (const [part, count] of counts) {
    const hash = hashOf(`${seed} ${part}`);
    const at = (hash >>> 1) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash & 1 ? 1 : -1) * Math.sqrt(count);
  }
  if (!vector.some((value) => value !== 0)) vector[0] = 1;
  return vector;
};

const hashes = new Map<string, number>();
const hashOf = (text: string): number => {
  const known = hashes.get(text) ?? createHash('md5').update(text).digest().readUInt32BE();
  hashes.set(text, known);
  return known;
};

/** The angle between two vectors, as its cosine. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

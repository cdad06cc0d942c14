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
const product = (query: Int8Array, codes: Int8Array, offset: number): number => {
  const { length } = query;
  const even = length - (length % 2);
  let [a, b] = [0, 0];
  for (let i = 0; i < even; i += 2) {
    a = (a + Math.imul(query[i] as number, codes[offset + i] as number)) | 0;
    b = (b + Math.imul(query[i + 1] as number, codes[offset + i + 1] as number)) | 0;
  }
  return even === length ? a + b : a + b + (query[even] as number) * (codes[offset + even] as number);
};

/** Vectors in memory, by the number of their content. */
export interface VectorSlabs {
  readonly dimensions: number;
  readonly bytes: () => number;
  readonly has: (no: number) => boolean;
  /** When each of these was last found to have no vector yet, in milliseconds of the process. */
  readonly absent: Map<number, number>;
  readonly add: (no: number, vector: QuantisedVector) => void;
  /** Scalar product of the unit vectors; undefined for a number that is not there. */
  readonly score: (no: number, query: QuantisedVector) => number | undefined;
}

/** Vectors that lie in one piece: growing never copies what is there. */
const SLAB = 256;
/** What a map takes for an entry, about. */
const ENTRY_BYTES = 48;

export const createSlabs = (dimensions: number): VectorSlabs => {
  const rows = new Map<number, number>();
  const absent = new Map<number, number>();
  const slabs: { readonly codes: Int8Array; readonly scales: Float32Array }[] = [];
  return {
    dimensions,
    bytes: () => slabs.length * SLAB * (dimensions + 4) + (rows.size + absent.size) * ENTRY_BYTES,
    has: (no) => rows.has(no),
    absent,
    add: (no, { code, scale }) => {
      if (rows.has(no)) return;
      const row = rows.size;
      if (row % SLAB === 0)
        slabs.push({ codes: new Int8Array(SLAB * dimensions), scales: new Float32Array(SLAB) });
      const slab = slabs[Math.floor(row / SLAB)];
      slab?.codes.set(code, (row % SLAB) * dimensions);
      slab?.scales.fill(scale, row % SLAB, (row % SLAB) + 1);
      rows.set(no, row);
      absent.delete(no);
    },
    score: (no, { code, scale }) => {
      const row = rows.get(no);
      const slab = row === undefined ? undefined : slabs[Math.floor(row / SLAB)];
      if (row === undefined || slab === undefined) return undefined;
      const at = row % SLAB;
      return product(code, slab.codes, at * dimensions) * scale * (slab.scales[at] ?? 0);
    },
  };
};

export interface VectorCache {
  /** The slabs of this key, empty at first. */
  readonly of: (key: string, dimensions: number) => VectorSlabs;
  /**
   * Whether so many further bytes may be put into the slabs of this key; makes room by dropping others. `needed` is what
   * is looked for now: where that alone would fit, the rest is of contents that went, and the next call begins anew.
   */
  readonly hasRoom: (key: string, further: number, needed: number) => boolean;
}

/** At most `maxBytes` in all; what was not asked for longest goes first, all of a key at once. */
export const createVectorCache = (maxBytes: number): VectorCache => {
  const kept = new Map<string, VectorSlabs>();
  const total = (): number => [...kept.values()].reduce((sum, slabs) => sum + slabs.bytes(), 0);
  return {
    of: (key, dimensions) => {
      const known = kept.get(key);
      const slabs = known?.dimensions === dimensions ? known : createSlabs(dimensions);
      kept.delete(key);
      kept.set(key, slabs);
      return slabs;
    },
    hasRoom: (key, further, needed) => {
      if ((kept.get(key)?.bytes() ?? 0) + further > maxBytes) {
        if (needed <= maxBytes) kept.delete(key);
        return false;
      }
      for (const other of kept.keys()) if (other !== key && total() + further > maxBytes) kept.delete(other);
      return true;
    },
  };
};

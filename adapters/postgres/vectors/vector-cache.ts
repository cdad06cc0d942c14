/**
 * A direction with one byte per dimension: `code * scale` is the unit vector; each number is off by at most
 * half a `scale`.
 */
export interface QuantisedVector {
  readonly code: Int8Array;
  readonly scale: number;
}

const STEPS = 127;

/** @param vector of any length except 0 */
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
 * The dot product of two codes; the second starts at `offset`. Only integers, which the engine multiplies
 * fastest; they cannot overflow up to 130,000 dimensions. Two parallel sums take half as long as one.
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
  /** When each of these contents was last found without a vector, in milliseconds of the process. */
  readonly absent: Map<number, number>;
  readonly add: (no: number, vector: QuantisedVector) => void;
  /** Dot product of the unit vectors; undefined for an unknown number. */
  readonly score: (no: number, query: QuantisedVector) => number | undefined;
}

/** Vectors per allocation: growing never copies existing vectors. */
const SLAB = 256;
/** Approximate size of a map entry. */
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
  /** Returns the slabs of this key, initially empty. */
  readonly of: (key: string, dimensions: number) => VectorSlabs;
  /**
   * Whether this many further bytes may be added to the slabs of this key; evicts others to make room.
   * `needed` is the size of the current search: if that alone would fit, the rest belongs to deleted
   * contents, and the next call starts again.
   */
  readonly hasRoom: (key: string, further: number, needed: number) => boolean;
}

/** Holds at most `maxBytes`; evicts the least recently used key first, with all its vectors. */
export const createVectorCache = (maxBytes: number): VectorCache => {
  const cached = new Map<string, VectorSlabs>();
  const total = (): number => [...cached.values()].reduce((sum, slabs) => sum + slabs.bytes(), 0);
  return {
    of: (key, dimensions) => {
      const known = cached.get(key);
      const slabs = known?.dimensions === dimensions ? known : createSlabs(dimensions);
      cached.delete(key);
      cached.set(key, slabs);
      return slabs;
    },
    hasRoom: (key, further, needed) => {
      if ((cached.get(key)?.bytes() ?? 0) + further > maxBytes) {
        if (needed <= maxBytes) cached.delete(key);
        return false;
      }
      for (const other of cached.keys())
        if (other !== key && total() + further > maxBytes) cached.delete(other);
      return true;
    },
  };
};

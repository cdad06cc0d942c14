/** SHA-256; a text counts as its UTF-8. */
export type Sha256 = (data: string | Uint8Array) => Uint8Array;

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Hashes that stand one behind the other. */
export const hashesIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** Hash of a leaf (RFC 9162, section 2.1.1). */
export const leafHash = (sha256: Sha256, leaf: string): Uint8Array => sha256(`\0${leaf}`);

const pair = new Uint8Array(1 + 2 * HASH_BYTES);
pair[0] = 1;
/** Hash of an inner node (RFC 9162, section 2.1.1). */
const nodeHash = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array => {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return sha256(pair);
};

/** A complete subtree: of the leaves from `index * 2^level` to `(index + 1) * 2^level`, exclusive. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** The fewest complete subtrees that make up the leaves from `start` to `end`, from left to right. */
export const subtreesOf = (start: number, end: number): readonly Subtree[] => {
  const found: Subtree[] = [];
  for (let at = start; at < end;) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    found.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return found;
};

/**
 * One hash of a proof: of the tree over some leaves, which is the fold of these subtrees. Those of a range that begins
 * where a larger one is cut in two: see `foldRight`.
 */
type ProofNode = readonly Subtree[];

/** The largest power of two below `size`. */
const split = (size: number): number => {
  let k = 1;
  while (k * 2 < size) k *= 2;
  return k;
};

/** The hashes that prove leaf `index` in the tree of `size` leaves (RFC 9162, section 2.1.3.1), in their order. */
export const inclusionPath = (index: number, size: number): readonly ProofNode[] => {
  const path = (at: number, start: number, end: number): readonly ProofNode[] => {
    if (end - start <= 1) return [];
    const middle = start + split(end - start);
    return at < middle
      ? [...path(at, start, middle), subtreesOf(middle, end)]
      : [...path(at, middle, end), subtreesOf(start, middle)];
  };
  return path(index, 0, size);
};

/**
 * The hashes that prove that the tree of `from` leaves is the beginning of the tree of `to` leaves (RFC 9162, section
 * 2.1.4.1), in their order. None where both are the same, or `from` is 0.
 */
export const consistencyPath = (from: number, to: number): readonly ProofNode[] => {
  const path = (start: number, end: number, isWhole: boolean): readonly ProofNode[] => {
    if (from === end) return isWhole ? [] : [subtreesOf(start, end)];
    const middle = start + split(end - start);
    return from <= middle
      ? [...path(start, middle, isWhole), subtreesOf(middle, end)]
      : [...path(middle, end, false), subtreesOf(start, middle)];
  };
  return from === 0 || from === to ? [] : path(0, to, true);
};

/** The hash of adjacent subtrees, from left to right; that of no leaf is the hash of nothing. */
export const foldRight = (sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 0
    ? sha256('')
    : hashes.slice(0, -1).reduceRight((right, left) => nodeHash(sha256, left, right), hashes.at(-1)!);

/** The root over complete hashes of one level, a power of two of them. */
export const rootOf = (sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array => {
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(nodeHash(sha256, level[i]!, level[i + 1]!));
    level = above;
  }
  return level[0]!;
};

/** A tree that only grows: the roots of its complete subtrees, at most one for each level. */
export interface GrowingTree {
  readonly size: () => number;
  readonly add: (leaf: Uint8Array) => void;
  readonly root: () => Uint8Array;
}

/**
 * @param begun hashes of `subtreesOf(0, size)`, from left to right
 * @param size leaves that are there already
 */
export const growingTree = (sha256: Sha256, begun: readonly Uint8Array[] = [], size = 0): GrowingTree => {
  const hashes = [...begun];
  let leaves = size;
  return {
    size: () => leaves,
    add: (leaf) => {
      let hash = leaf;
      for (let rest = leaves; rest % 2 === 1; rest = (rest - 1) / 2)
        hash = nodeHash(sha256, hashes.pop()!, hash);
      hashes.push(hash);
      leaves += 1;
    },
    root: () => foldRight(sha256, hashes),
  };
};

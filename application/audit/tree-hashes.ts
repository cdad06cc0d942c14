import {
  foldRight,
  hashesIn,
  rootOf,
  type Sha256,
  type Subtree,
  subtreesOf,
} from '../../domain/proof/merkle.ts';
import { TILE_WIDTH } from '../../domain/proof/tiles.ts';
import type { LogTree } from '../ports/log-tree.ts';

/** Hashes of parts of a tenant's tree, from its tiles. */
export interface TreeHashes {
  /** The hash over adjacent complete subtrees, from left to right. */
  readonly over: (subtrees: readonly Subtree[]) => Promise<Uint8Array>;
  /** The root of the tree when it had `size` leaves, which is at most what it has. */
  readonly root: (size: number) => Promise<Uint8Array>;
}

/** Levels of a tile: 2^8 = 256. */
const HEIGHT = Math.log2(TILE_WIDTH);

/** For one request: a tile is read once. */
export const treeHashes = (tree: Pick<LogTree, 'hashes'>, sha256: Sha256, tenant: string): TreeHashes => {
  const tiles = new Map<string, Promise<readonly Uint8Array[]>>();
  const tile = (level: number, index: number): Promise<readonly Uint8Array[]> => {
    const name = `${level}/${index}`;
    const known = tiles.get(name) ?? tree.hashes(tenant, level, index).then(hashesIn);
    tiles.set(name, known);
    return known;
  };
  const hashOf = async ({ level, index }: Subtree): Promise<Uint8Array> => {
    const count = 2 ** (level % HEIGHT);
    const start = index * count;
    const hashes = await tile(Math.floor(level / HEIGHT), Math.floor(start / TILE_WIDTH));
    const offset = start % TILE_WIDTH;
    return rootOf(sha256, hashes.slice(offset, offset + count));
  };
  const over = async (subtrees: readonly Subtree[]): Promise<Uint8Array> =>
    foldRight(sha256, await Promise.all(subtrees.map(hashOf)));
  return { over, root: (size) => over(subtreesOf(0, size)) };
};

import type { TreeHead } from '../../domain/proof/checkpoint.ts';
import { leafOf, type SaltOf } from '../../domain/proof/leaf.ts';
import { type GrowingTree, growingTree, hashesIn, leafHash, type Sha256 } from '../../domain/proof/merkle.ts';
import { TILE_WIDTH } from '../../domain/proof/tiles.ts';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { LeafPlace, LogTree } from '../ports/log-tree.ts';
import { treeHashes } from './tree-hashes.ts';

/** The first difference between a tenant's log and what is known of it. */
export interface Difference {
  readonly tenant: string;
  readonly kind: 'edited' | 'removed' | 'inserted' | 'moved' | 'truncated' | 'rewritten' | 'forged';
  /** Index of the leaf from which the log differs. */
  readonly index: number;
  /** The event that differs, or the one that is missing; null where nothing is known of it. */
  readonly at: LeafPlace | null;
  readonly told: string;
}

/** A checkpoint of the service itself, or one that was kept elsewhere: whoever writes a log anew can sign it anew. */
export type KnownHead = TreeHead & { readonly kept: 'here' | 'elsewhere' };
/** Checkpoints in the order of their sizes. */
export type NextHead = () => Promise<KnownHead | null>;

/** The log of one tenant while it is walked. */
export interface Walk {
  /** Takes the next event; a promise only where something must be read. */
  readonly take: (event: RecordedEvent) => Promise<void> | undefined;
  /** To be called at the end of the log. */
  readonly end: () => Promise<void>;
  readonly difference: () => Difference | null;
  /** Checkpoints whose roots were right. */
  readonly checked: () => number;
}

export interface WalkDeps {
  readonly tree: LogTree;
  readonly sha256: Sha256;
  readonly saltOf: SaltOf;
}

/**
 * @param start the tree of what is taken for checked
 * @param nextHead checkpoints beyond that
 */
export const startWalk = async (
  { tree, sha256, saltOf }: WalkDeps,
  tenant: string,
  start: { readonly hashes: readonly Uint8Array[]; readonly size: number },
  nextHead: NextHead,
): Promise<Walk> => {
  const grown: GrowingTree = growingTree(sha256, start.hashes, start.size);
  // Leaves that the log must have: whatever is appended from now on is not in this tree yet.
  const least = await tree.size(tenant);
  let [tile, stored]: [number, readonly Uint8Array[]] = [-1, []];
  let due = await nextHead();
  let checked = 0;
  /** Size of the last right checkpoint, and the first event after it; of those from elsewhere, and of all. */
  type Mark = { readonly size: number; next: LeafPlace | null };
  const begun: Mark = { size: start.size, next: null };
  const right: { [From in KnownHead['kept']]: Mark } = { here: begun, elsewhere: { ...begun } };
  let difference: Difference | null = null;

  const differs = (kind: Difference['kind'], index: number, at: LeafPlace | null, told: string): void => {
    difference = { tenant, kind, index, at, told };
  };

  const explain = async (event: RecordedEvent, index: number): Promise<void> => {
    const here = placeOf(event);
    const place = (await tree.places(tenant, Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH];
    const later = await tree.indexOf(tenant, event.position);
    const isTreeSigned =
      due === null ||
      due.size > least ||
      Buffer.compare(await treeHashes(tree, sha256, tenant).root(due.size), due.root) === 0;
    const note = isTreeSigned ? '' : '; the tree differs from its checkpoint too: rebuild the view log_tree';
    if (place === undefined) differs('inserted', index, here, `it is not in the tree${note}`);
    else if (same(place, here))
      differs('edited', index, here, `it is not the event of which the tree has the hash${note}`);
    else if (place.position === here.position || samePlace(place, here))
      differs('moved', index, place, `${told(here)} is in its place${note}`);
    else if (later === null && here.position < place.position)
      differs('inserted', index, here, `it is before ${told(place)}, and not in the tree${note}`);
    else differs('removed', index, place, `the log goes on with ${told(here)}${note}`);
  };

  /** Compares the roots of the checkpoints of this size. */
  const compare = async (): Promise<void> => {
    const root = grown.root();
    while (due !== null && due.size === grown.size()) {
      const { size, kept } = due;
      if (Buffer.compare(due.root, root) !== 0) {
        const told = `the log differs from its checkpoint of ${size} events, from this event on or later`;
        return differs('rewritten', right[kept].size, right[kept].next, told);
      }
      checked += 1;
      right.here = { size, next: null };
      if (kept === 'elsewhere') right.elsewhere = { size, next: null };
      due = await nextHead();
    }
  };

  const compareLeaf = async (event: RecordedEvent, index: number, hash: Uint8Array): Promise<void> => {
    if (Math.floor(index / TILE_WIDTH) !== tile || stored.length < TILE_WIDTH) {
      tile = Math.floor(index / TILE_WIDTH);
      stored = hashesIn(await tree.hashes(tenant, 0, tile));
    }
    const known = stored[index % TILE_WIDTH];
    if (known !== undefined && Buffer.compare(known, hash) !== 0) await explain(event, index);
    else if (due !== null && due.size <= grown.size()) await compare();
  };

  return {
    take: (event) => {
      if (difference !== null) return undefined;
      const index = grown.size();
      const hash = leafHash(sha256, leafOf(sha256, saltOf, event));
      grown.add(hash);
      right.here.next ??= placeOf(event);
      right.elsewhere.next ??= placeOf(event);
      const isLoaded = Math.floor(index / TILE_WIDTH) === tile && stored.length > index % TILE_WIDTH;
      const isDue = due !== null && due.size <= grown.size();
      if (isLoaded && !isDue && Buffer.compare(stored[index % TILE_WIDTH]!, hash) === 0) return undefined;
      return compareLeaf(event, index, hash);
    },
    end: async () => {
      const size = grown.size();
      if (difference !== null || size >= Math.max(least, due?.size ?? 0)) return;
      const places = await tree.places(tenant, Math.floor(size / TILE_WIDTH));
      const told = due === null ? `the tree has ${least}` : `a checkpoint covers ${due.size}`;
      differs(
        'truncated',
        size,
        places[size % TILE_WIDTH] ?? null,
        `the log ends after ${size} events, and ${told}`,
      );
    },
    difference: () => difference,
    checked: () => checked,
  };
};

const placeOf = ({ stream, revision, position }: RecordedEvent): LeafPlace => ({
  stream,
  revision,
  position,
});
const samePlace = (a: LeafPlace, b: LeafPlace): boolean => a.stream === b.stream && a.revision === b.revision;
const same = (a: LeafPlace, b: LeafPlace): boolean => samePlace(a, b) && a.position === b.position;
const told = ({ stream, revision, position }: LeafPlace): string =>
  `revision ${revision} of ${stream} at position ${position}`;

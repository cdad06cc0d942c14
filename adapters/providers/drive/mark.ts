import { type Tree, treeOf, type WrittenTree, writtenTree } from './tree.ts';

/** What one job leaves for the next. */
export interface DriveMark {
  /** What was asked for, and with which secret: of another question the answer says nothing. */
  readonly question: string;
  readonly tree: Tree;
  /** When the whole tree was walked, in Unix milliseconds. */
  readonly walkedAt: number;
}

/** Where a listing goes on that was broken off. */
export type DrivePlace =
  | { readonly kind: 'walk'; readonly walk: WalkPlace; readonly walkedAt: number }
  /**
   * Changes since `left` are looked at. They are asked for again, and `to` is where the next job goes on whatever comes
   * then: what has changed since was maybe not seen.
   */
  | { readonly kind: 'changes'; readonly left: DriveMark; readonly to: ReadonlyMap<string, string> };

export interface WalkPlace {
  readonly tree: Tree;
  /** Folders that are still to be listed. */
  readonly queue: string[];
  /** The page of the first of them; null: its first. */
  page: string | null;
}

interface WrittenMark {
  readonly question: string;
  readonly tree: WrittenTree;
  readonly walkedAt: number;
}
type WrittenPlace =
  | {
      readonly walk: { readonly tree: WrittenTree; readonly queue: string[]; readonly page: string | null };
      readonly walkedAt: number;
    }
  | { readonly left: WrittenMark; readonly to: readonly (readonly [string, string])[] };

const written = ({ question, tree, walkedAt }: DriveMark): WrittenMark => ({
  question,
  tree: writtenTree(tree),
  walkedAt,
});
const read = ({ question, tree, walkedAt }: WrittenMark): DriveMark => ({
  question,
  tree: treeOf(tree),
  walkedAt,
});

/** Where changes are not told of all of it, there is nothing to go by: the next job walks. */
export const writeMark = (mark: DriveMark): string =>
  [...mark.tree.tokens.values()].includes(null) ? '' : JSON.stringify(written(mark));

/** Null for one that is none, as another version may have left it. */
export const readMark = (text: string | null): DriveMark | null => parsed(text, read);

export const writePlace = (place: DrivePlace): string => {
  const shape: WrittenPlace =
    place.kind === 'walk'
      ? { walk: { ...place.walk, tree: writtenTree(place.walk.tree) }, walkedAt: place.walkedAt }
      : { left: written(place.left), to: [...place.to] };
  return JSON.stringify(shape);
};

export const readPlace = (text: string | null): DrivePlace | null =>
  parsed(text, (place: WrittenPlace) =>
    'walk' in place
      ? { kind: 'walk', walk: { ...place.walk, tree: treeOf(place.walk.tree) }, walkedAt: place.walkedAt }
      : { kind: 'changes', left: read(place.left), to: new Map(place.to) },
  );

const parsed = <T>(text: string | null, take: (written: never) => T): T | null => {
  if (text === null || text === '') return null;
  try {
    return take(JSON.parse(text) as never);
  } catch {
    return null;
  }
};

import { RequestRefused } from '../../http-client/provider-response.ts';
import { type Change, type DriveApi } from './drive-api.ts';
import { type DriveFile, SHORTCUT_TYPE, isFolder } from './drive-file.ts';
import type { Tree } from './walk.ts';

/** The changes in a tree. */
export interface TreeChanges {
  /** The tree after the changes. */
  readonly tree: Tree;
  readonly files: readonly DriveFile[];
  /** Folders that have entered the tree: their contents must still be listed. */
  readonly entered: readonly string[];
  /** Ids of files that have left the tree, and of many that never were in it. */
  readonly left: ReadonlySet<string>;
  /** The tokens for the next request of changes. */
  readonly to: ReadonlyMap<string, string>;
}

/** With more pages of 1,000 changes, a walk is faster. */
const MAX_PAGES = 20;

/**
 * The changes since the tokens of the tree were issued. Null when only a walk helps: tokens are refused, there are too
 * many changes, a folder has left the tree (its contents are not reported), or a shortcut was added, removed or moved.
 */
export const changesSince = async (
  api: DriveApi,
  before: Tree,
  signal: AbortSignal,
): Promise<TreeChanges | null> => {
  const read = await newestChanges(api, before, signal).catch((error: unknown) => {
    // 410 for an expired token, 404 for a deleted shared drive.
    if (error instanceof RequestRefused) return null;
    throw error;
  });
  if (read === null) return null;
  const { changes, to } = read;
  const tree: Tree = { ...before, folders: new Map(before.folders) };
  const entered = changedFolders(tree, changes);
  if (entered === null || changes.some((change) => concernsShortcut(tree, change))) return null;
  const targets = new Set(tree.shortcuts.values());
  const files: DriveFile[] = [];
  const left = new Set<string>();
  for (const { id, file } of changes) {
    if (tree.folders.has(id)) continue;
    if (file !== null && !file.trashed && (isIn(tree, file) || targets.has(id))) files.push(file);
    else left.add(id);
  }
  return { tree, files, entered, left, to };
};

/** The newest change of each file. A file that moved between two drives is removed in one and present in the other. */
const newestChanges = async (
  api: DriveApi,
  { tokens }: Tree,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly Change[]; readonly to: ReadonlyMap<string, string> } | null> => {
  const newest = new Map<string, Change>();
  const to = new Map<string, string>();
  let pages = 0;
  for (const [drive, from] of tokens) {
    const ofDrive = new Map<string, Change>();
    for (let token = from; token !== null;) {
      if ((pages += 1) > MAX_PAGES) return null;
      const page = await api.changes(drive === '' ? null : drive, token, signal);
      for (const change of page.changes) ofDrive.set(change.id, change);
      if (page.newest !== null) to.set(drive, page.newest);
      token = page.next;
    }
    if (!to.has(drive)) return null;
    for (const [id, change] of ofDrive) if (change.file !== null || !newest.has(id)) newest.set(id, change);
  }
  return { changes: [...newest.values()], to };
};

/** Moves folders in the tree. @returns the folders that have entered it; null when one has left it */
const changedFolders = ({ root, folders }: Tree, changes: readonly Change[]): readonly string[] | null => {
  const entered: string[] = [];
  const moved = changes.filter(({ id, file }) => folders.has(id) || (file !== null && isFolder(file)));
  // A folder may be reported before its parent.
  for (let before = -1; before !== entered.length;) {
    before = entered.length;
    for (const { id, file } of moved) {
      const isKnown = folders.has(id);
      if (isKnown || file === null || file.trashed || file.parent === null || !folders.has(file.parent))
        continue;
      folders.set(id, file.parent);
      entered.push(id);
    }
  }
  for (const { id, file } of moved) {
    if (!folders.has(id)) continue;
    if (file === null || file.trashed) return null;
    // The root, and targets of shortcuts, may be anywhere.
    if (id === root || folders.get(id) === null) continue;
    if (file.parent === null || !folders.has(file.parent)) return null;
    folders.set(id, file.parent);
  }
  return entered;
};

const concernsShortcut = (tree: Tree, { id, file }: Change): boolean =>
  tree.shortcuts.has(id) ||
  (file !== null && !file.trashed && file.mimeType === SHORTCUT_TYPE && isIn(tree, file));

const isIn = ({ folders }: Tree, { parent }: DriveFile): boolean => parent !== null && folders.has(parent);

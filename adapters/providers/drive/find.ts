import type { DriveApi } from './drive-api.ts';
import { type DriveFile, isFolder, SHORTCUT_TYPE } from './drive-file.ts';
import type { WalkPlace } from './mark.ts';
import type { Tree } from './tree.ts';
import { type Entry, fileIfThere, walkOn } from './walk.ts';

interface Where {
  readonly api: DriveApi;
  /** As the newest listing found it; null: there was none, and all is walked. */
  readonly tree: Tree | null;
  readonly begin: (signal: AbortSignal) => Promise<WalkPlace>;
}

/** Those of these files that are in the tree, by their ids. */
export const findFiles = async (
  { api, tree, begin }: Where,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Entry>> => {
  const found = new Map<string, Entry>();
  if (tree === null) {
    const wanted = new Set(ids);
    const walk = await begin(signal);
    while (walk.queue.length > 0) {
      await walkOn(
        api,
        walk,
        (entry) => wanted.has(entry.file.id) && found.set(entry.file.id, entry),
        signal,
      );
    }
    return found;
  }
  const targets = new Set(tree.shortcuts.values());
  const folders = new Map(tree.folders);
  for (const id of ids) {
    const file = await fileIfThere(api, id, signal);
    if (file === null || isFolder(file)) continue;
    if (!targets.has(id) && !(await isBelow(api, folders, file, signal))) continue;
    if (file.mimeType !== SHORTCUT_TYPE) found.set(id, { file });
    // What a shortcut leads to has a name of its own.
    else if (file.target === null || (await fileIfThere(api, file.target.id, signal)) === null)
      found.set(id, { file, isBroken: true });
  }
  return found;
};

/** Deeper than folders go. */
const MOST_FOLDERS_UP = 100;

/** Whether the way up leads to a folder of the tree: it may be in one that has come since. Notes those in between. */
const isBelow = async (
  api: DriveApi,
  folders: Map<string, string | null>,
  { parent }: DriveFile,
  signal: AbortSignal,
): Promise<boolean> => {
  const way: string[] = [];
  for (let at = parent; at !== null && way.length < MOST_FOLDERS_UP;) {
    if (folders.has(at)) {
      for (const id of way) folders.set(id, at);
      return true;
    }
    way.push(at);
    at = (await fileIfThere(api, at, signal))?.parent ?? null;
  }
  return false;
};

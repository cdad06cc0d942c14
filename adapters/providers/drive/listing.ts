import {
  type FetchedItem,
  type ListedItem,
  type Listing,
  type ListingPage,
  SourceUnavailable,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { changesSince, type TreeChanges } from './changes.ts';
import { failed, fetchContent } from './content.ts';
import { type DriveApi } from './drive-api.ts';
import { type DriveFile, SHORTCUT_TYPE, fingerprintOf, isFolder } from './drive-file.ts';
import {
  type DriveSyncToken,
  type DriveCursor,
  type Entry,
  type Tree,
  type WalkPlace,
  fileIfThere,
  readCursor,
  continueWalk,
  writeSyncToken,
  writeCursor,
} from './walk.ts';

interface Where {
  readonly api: DriveApi;
  /** The tree of the newest listing; null when there was none and everything is walked. */
  readonly tree: Tree | null;
  readonly begin: (signal: AbortSignal) => Promise<WalkPlace>;
}

/** The files among these that are in the tree, by id. */
const findFiles = async (
  { api, tree, begin }: Where,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Entry>> => {
  const found = new Map<string, Entry>();
  if (tree === null) {
    const wanted = new Set(ids);
    const walk = await begin(signal);
    while (walk.queue.length > 0) {
      await continueWalk(
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
    // The target of a shortcut has its own name.
    else if (file.target === null || (await fileIfThere(api, file.target.id, signal)) === null)
      found.set(id, { file, isBroken: true });
  }
  return found;
};

/** Deeper than real folders are. */
const MAX_FOLDERS_UP = 100;

/** Whether a parent folder is in the tree, perhaps one that entered it since. Records the folders in between. */
const isBelow = async (
  api: DriveApi,
  folders: Map<string, string | null>,
  { parent }: DriveFile,
  signal: AbortSignal,
): Promise<boolean> => {
  const way: string[] = [];
  for (let at = parent; at !== null && way.length < MAX_FOLDERS_UP;) {
    if (folders.has(at)) {
      for (const id of way) folders.set(id, at);
      return true;
    }
    way.push(at);
    at = (await fileIfThere(api, at, signal))?.parent ?? null;
  }
  return false;
};

/** A page of the listing ends at the first of these limits; the cursor is then stored. */
const MAX_UNITS = 1_000;
const MAX_REQUESTS = 50;
/** After this many consecutive requests without a response, the drive counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;

interface ListingOptions {
  readonly api: DriveApi;
  readonly question: string;
  /** Null when the state of the last job cannot be used. */
  readonly left: DriveSyncToken | null;
  /** Begins a walk. */
  readonly begin: (signal: AbortSignal) => Promise<WalkPlace>;
  /** Maximum size of a file. */
  readonly maxBytes: number;
  readonly now: () => number;
}

/** Lists the files of a folder and its subfolders: the changes since the last job, or everything by a walk. */
export const driveListing = (options: ListingOptions): Listing => {
  const { api, question, left, maxBytes } = options;
  const entries = new Map<string, Entry>();
  let mark: DriveSyncToken | null = left;
  let pending: TreeChanges | null = null;
  let unanswered = 0;
  const take = (entry: Entry): void => void entries.set(entry.file.id, entry);
  const use = (tree: Tree): void => {
    for (const [id, key] of tree.keys) api.keys.set(id, key);
  };
  const items = (): readonly ListedItem[] => [...entries.values()].map(itemOf);

  const walkPage = async (place: DriveCursor | null, signal: AbortSignal): Promise<ListingPage> => {
    const { walk, walkedAt } =
      place?.kind === 'walk' ? place : { walk: await options.begin(signal), walkedAt: options.now() };
    use(walk.tree);
    for (
      let asked = 0;
      walk.queue.length > 0 && asked < MAX_REQUESTS && entries.size < MAX_UNITS;
      asked += 1
    ) {
      await continueWalk(api, walk, take, signal);
    }
    mark = { question, tree: walk.tree, walkedAt };
    const next = walk.queue.length > 0 ? writeCursor({ kind: 'walk', walk, walkedAt }) : null;
    return { items: items(), next };
  };
  /** The changed files, with everything in folders that entered the tree. */
  const changedPage = async (
    { left: before, to }: Extract<DriveCursor, { kind: 'changes' }>,
    changes: TreeChanges,
    signal: AbortSignal,
  ): Promise<ListingPage> => {
    for (const file of changes.files) take({ file });
    const walk: WalkPlace = { tree: changes.tree, queue: [...changes.entered], page: null };
    use(walk.tree);
    while (walk.queue.length > 0) {
      await continueWalk(api, walk, take, signal);
    }
    const tokens = new Map([...walk.tree.tokens, ...to]);
    mark = { ...before, tree: { ...walk.tree, tokens } };
    return { items: items(), next: null, othersUnchanged: { without: changes.left } };
  };

  return {
    syncToken: () => (mark === null ? '' : writeSyncToken(mark)),
    list: async (cursor, signal) => {
      entries.clear();
      const place = readCursor(cursor);
      if (cursor === null && left !== null) {
        use(left.tree);
        pending = await changesSince(api, left.tree, signal);
        if (pending === null) return walkPage(null, signal);
        const here = { kind: 'changes', left, to: pending.to } as const;
        const { files, entered, left: gone } = pending;
        if (files.length + entered.length + gone.size === 0) return changedPage(here, pending, signal);
        // The starting point of the next job is stored before anything is read.
        return { items: [], next: writeCursor(here) };
      }
      if (place?.kind === 'changes') {
        use(place.left.tree);
        const changes = pending ?? (await changesSince(api, place.left.tree, signal));
        pending = null;
        if (changes !== null) return changedPage(place, changes, signal);
        return walkPage(null, signal);
      }
      return walkPage(place, signal);
    },
    find: async (ids, signal) => {
      entries.clear();
      const found = await findFiles({ api, tree: mark?.tree ?? null, begin: options.begin }, ids, signal);
      for (const entry of found.values()) take(entry);
      return ids.map((id) => {
        const entry = found.get(id);
        return entry === undefined ? null : itemOf(entry);
      });
    },
    fetch: async ({ locator }, signal): Promise<FetchedItem> => {
      const entry = entries.get(locator);
      if (entry === undefined) return { kind: 'gone' };
      try {
        const fetched = await fetchContent(api, entry, maxBytes, signal);
        unanswered = 0;
        return fetched;
      } catch (error) {
        unanswered += 1;
        if (
          !(error instanceof SourceUnavailable && error.oneRequest) ||
          unanswered >= MAX_CONSECUTIVE_FAILURES
        )
          throw error;
        return failed(entry.file, 'not_answered', error.message);
      }
    },
  };
};

const itemOf = ({ file, isBroken }: Entry): ListedItem => ({
  locator: file.id,
  fingerprint: isBroken === true ? `broken ${fingerprintOf(file)}` : fingerprintOf(file),
});

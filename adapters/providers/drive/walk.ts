import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { RequestRefused, nullIfRefused } from '../../http-client/provider-response.ts';
import { type DriveApi } from './drive-api.ts';
import { type DriveFile, SHORTCUT_TYPE, isFolder } from './drive-file.ts';

/** An item of the tree. */
export interface Entry {
  readonly file: DriveFile;
  /** A shortcut whose target is missing or not readable. */
  readonly isBroken?: true;
}

/**
 * Lists one page of one folder, and removes the folder from the queue after its last page. Each folder is listed once,
 * however many shortcuts lead to it, because shortcuts can form cycles. A deleted folder is skipped, unless it is the
 * root.
 */
export const continueWalk = async (
  api: DriveApi,
  place: WalkPlace,
  take: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const [folder = ''] = place.queue;
  const listed = await childrenOf(api, place, folder, signal);
  const drives = new Set(listed.files.map(({ driveId }) => driveId));
  const unknown = [...drives].filter((driveId) => !place.tree.tokens.has(driveId ?? ''));
  for (const driveId of unknown) await followChanges(api, place.tree, driveId, signal);
  // Changes between the listing and the token would otherwise be missed by both.
  const page = unknown.length === 0 ? listed : await childrenOf(api, place, folder, signal);
  for (const file of page.files) await visit(api, place, folder, file, take, signal);
  if (page.next === null) place.queue.shift();
  place.page = page.next;
};

const childrenOf = (api: DriveApi, { tree, page }: WalkPlace, folder: string, signal: AbortSignal) =>
  api.children(folder, page, signal).catch((error: unknown) => {
    if (!(error instanceof RequestRefused)) throw error;
    if (folder === tree.root) throw noRoot(error.status);
    return { files: [], next: null };
  });

const visit = async (
  api: DriveApi,
  place: WalkPlace,
  parent: string,
  file: DriveFile,
  take: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { tree } = place;
  noteKey(api, tree, file.id, file.resourceKey);
  if (isFolder(file)) return enter(place, file.id, parent);
  if (file.mimeType !== SHORTCUT_TYPE) return take({ file });
  if (file.target === null) return take({ file, isBroken: true });
  tree.shortcuts.set(file.id, file.target.id);
  if (tree.folders.has(file.target.id)) return;
  noteKey(api, tree, file.target.id, file.target.resourceKey);
  const target = await fileIfThere(api, file.target.id, signal);
  if (target === null || target.mimeType === SHORTCUT_TYPE) return take({ file, isBroken: true });
  await followChanges(api, tree, target.driveId, signal);
  if (isFolder(target)) enter(place, target.id, null);
  else take({ file: target });
};

const enter = ({ tree, queue }: WalkPlace, id: string, parent: string | null): void => {
  if (tree.folders.has(id)) return;
  tree.folders.set(id, parent);
  queue.push(id);
};

const noteKey = (api: DriveApi, { keys }: Tree, id: string, key: string | null): void => {
  if (key === null) return;
  keys.set(id, key);
  api.keys.set(id, key);
};

/** Requested before anything of a shared drive is listed, so that later changes are reported from here on. */
export const followChanges = async (
  api: DriveApi,
  { tokens }: Tree,
  driveId: string | null,
  signal: AbortSignal,
): Promise<void> => {
  const name = driveId ?? '';
  if (tokens.has(name)) return;
  const token = await api.startToken(driveId, signal).catch(nullIfRefused);
  tokens.set(name, token);
};

/** Null when it is in the trash, or not visible. */
export const fileIfThere = async (
  api: DriveApi,
  id: string,
  signal: AbortSignal,
): Promise<DriveFile | null> => {
  const file = await api.file(id, signal).catch(nullIfRefused);
  return file === null || file.trashed ? null : file;
};

export const noRoot = (status: number): SourceRefused =>
  new SourceRefused(
    'not_found',
    'Not found at the provider',
    `the folder is not there, or is not shared with the account of the secret (${status}): share it with that account as a viewer, then sync`,
  );

/** What a walk learned about the folder of a data source; later changes are judged by it. */
export interface Tree {
  readonly root: string;
  /** The parent of each folder by id; null for the root, and for targets of shortcuts. */
  readonly folders: Map<string, string | null>;
  /** Targets of shortcuts, by the id of the shortcut. */
  readonly shortcuts: Map<string, string>;
  /** Resource keys of folders and shortcut targets that have one. */
  readonly keys: Map<string, string>;
  /**
   * Change tokens by shared drive; the empty name is for the account's own files and those shared with it. Null:
   * changes are not reported.
   */
  readonly tokens: Map<string, string | null>;
}

/** The JSON form. */
interface WrittenTree {
  readonly root: string;
  readonly folders: readonly (readonly [string, string | null])[];
  readonly shortcuts: readonly (readonly [string, string])[];
  readonly keys: readonly (readonly [string, string])[];
  readonly tokens: readonly (readonly [string, string | null])[];
}

const writtenTree = ({ root, folders, shortcuts, keys, tokens }: Tree): WrittenTree => {
  const targets = new Set(shortcuts.values());
  return {
    root,
    folders: [...folders],
    shortcuts: [...shortcuts],
    keys: [...keys].filter(([id]) => folders.has(id) || targets.has(id)),
    tokens: [...tokens],
  };
};

const treeOf = ({ root, folders, shortcuts, keys, tokens }: WrittenTree): Tree => ({
  root,
  folders: new Map(folders),
  shortcuts: new Map(shortcuts),
  keys: new Map(keys),
  tokens: new Map(tokens),
});

export const newTree = (root: string, keys: ReadonlyMap<string, string>): Tree => ({
  root,
  folders: new Map([[root, null]]),
  shortcuts: new Map(),
  keys: new Map(keys),
  tokens: new Map(),
});

/** The state that one job leaves for the next. */
export interface DriveSyncToken {
  /** The parameters and the secret: the state is invalid for others. */
  readonly question: string;
  readonly tree: Tree;
  /** Time of the last full walk, in Unix milliseconds. */
  readonly walkedAt: number;
}

/** Cursor at which an interrupted listing continues. */
export type DriveCursor =
  | { readonly kind: 'walk'; readonly walk: WalkPlace; readonly walkedAt: number }
  /**
   * Processes the changes since `left`. They are requested again, and `to` is where the next job continues in any case:
   * later changes may not have been seen.
   */
  | { readonly kind: 'changes'; readonly left: DriveSyncToken; readonly to: ReadonlyMap<string, string> };

export interface WalkPlace {
  readonly tree: Tree;
  /** Folders that are still to be listed. */
  readonly queue: string[];
  /** Page token of the first folder; null for its first page. */
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

const written = ({ question, tree, walkedAt }: DriveSyncToken): WrittenMark => ({
  question,
  tree: writtenTree(tree),
  walkedAt,
});
const read = ({ question, tree, walkedAt }: WrittenMark): DriveSyncToken => ({
  question,
  tree: treeOf(tree),
  walkedAt,
});

/** If changes are not reported for the whole tree, there is no state: the next job walks. */
export const writeSyncToken = (mark: DriveSyncToken): string =>
  [...mark.tree.tokens.values()].includes(null) ? '' : JSON.stringify(written(mark));

/** Null when unreadable, for example written by another version. */
export const readSyncToken = (text: string | null): DriveSyncToken | null => parsed(text, read);

export const writeCursor = (place: DriveCursor): string => {
  const shape: WrittenPlace =
    place.kind === 'walk'
      ? { walk: { ...place.walk, tree: writtenTree(place.walk.tree) }, walkedAt: place.walkedAt }
      : { left: written(place.left), to: [...place.to] };
  return JSON.stringify(shape);
};

export const readCursor = (text: string | null): DriveCursor | null =>
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

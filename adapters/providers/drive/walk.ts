import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { RequestRefused } from '../../http-client/provider-response.ts';
import { type DriveApi } from './drive-api.ts';
import { type DriveFile, SHORTCUT_TYPE, isFolder } from './drive-file.ts';

/** An item of the tree. */
export interface Entry {
  readonly file: DriveFile;
  /** It is a shortcut that leads to nothing that may be read. */
  readonly isBroken?: true;
}

/**
 * Lists one page of one folder, and takes it off the queue where that was its last. Each folder is listed once, however
 * many shortcuts lead to it: they make circles. A folder that is there no more is passed over, but for the root.
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
  // What has changed between the list and the token would be told by neither.
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

/** Before anything of a shared drive is listed: what changes meanwhile is told from here on. */
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

/** Null where it is in the trash, or may not be seen. */
export const fileIfThere = async (
  api: DriveApi,
  id: string,
  signal: AbortSignal,
): Promise<DriveFile | null> => {
  const file = await api.file(id, signal).catch(nullIfRefused);
  return file === null || file.trashed ? null : file;
};

const nullIfRefused = (error: unknown): null => {
  if (error instanceof RequestRefused) return null;
  throw error;
};

export const noRoot = (status: number): SourceRefused =>
  new SourceRefused(
    'not_found',
    'Not found at the provider',
    `the folder is not there, or is not shared with the account of the secret (${status}): share it with that account as a viewer, then sync`,
  );

/** What a walk found out about the folder that a data source is of, by which changes are judged later. */
export interface Tree {
  readonly root: string;
  /** By the id of each folder, that of the folder that it is in; null for the root, and for what shortcuts lead to. */
  readonly folders: Map<string, string | null>;
  /** What shortcuts lead to, by their ids. */
  readonly shortcuts: Map<string, string>;
  /** Of the folders and of what shortcuts lead to, where they have one. */
  readonly keys: Map<string, string>;
  /**
   * Where changes are asked for from, by the shared drive; of the account's own files and those that are shared with it by
   * an empty name. Null: they are not told.
   */
  readonly tokens: Map<string, string | null>;
}

/** As JSON. */
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

/** What one job leaves for the next. */
export interface DriveSyncToken {
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
  | { readonly kind: 'changes'; readonly left: DriveSyncToken; readonly to: ReadonlyMap<string, string> };

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

/** Where changes are not told of all of it, there is nothing to go by: the next job walks. */
export const writeSyncToken = (mark: DriveSyncToken): string =>
  [...mark.tree.tokens.values()].includes(null) ? '' : JSON.stringify(written(mark));

/** Null for one that is none, as another version may have left it. */
export const readSyncToken = (text: string | null): DriveSyncToken | null => parsed(text, read);

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

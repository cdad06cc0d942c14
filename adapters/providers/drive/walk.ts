import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { RequestRefused } from '../../http-client/refusal.ts';
import type { DriveApi } from './drive-api.ts';
import { type DriveFile, isFolder, SHORTCUT_TYPE } from './drive-file.ts';
import type { WalkPlace } from './mark.ts';
import type { Tree } from './tree.ts';

/** A item of the tree. */
export interface Entry {
  readonly file: DriveFile;
  /** It is a shortcut that leads to nothing that may be read. */
  readonly isBroken?: true;
}

/**
 * Lists one page of one folder, and takes it off the queue where that was its last. Each folder is listed once, however
 * many shortcuts lead to it: they make circles. A folder that is there no more is passed over, but for the root.
 */
export const walkOn = async (
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

import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const MODE = 0o600;

/**
 * Puts a file in its place whole or not at all, readable by our own user alone: a full disk leaves the old one, and a
 * power cut leaves the old or the new one, never an empty one.
 */
export const replaceFile = (path: string, text: string): Promise<void> =>
  fromDraft(path, text, async (draft) => {
    await rename(draft, path);
  });

/**
 * As `replaceFile`, where there is none yet; false where there is one. Of several that ask at once, one gets true: a
 * hard link appears at once with its content.
 */
export const createFile = async (path: string, text: string): Promise<boolean> => {
  let made = true;
  await fromDraft(path, text, async (draft) => {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      made = false;
    });
  });
  return made;
};

const fromDraft = async (
  path: string,
  text: string,
  place: (draft: string) => Promise<void>,
): Promise<void> => {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeSynced(draft, text);
    await place(draft);
    await syncFolder(dirname(path));
  } catch (error) {
    // An error of writing names no path.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  } finally {
    await rm(draft, { force: true });
  }
};

const writeSynced = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The name of a file is on disk when its folder is. Windows opens no folders, and needs no such thing. */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

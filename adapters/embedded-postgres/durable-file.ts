import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const MODE = 0o600;

/**
 * Replaces a file atomically; only our user may read it. A full disk leaves the old file, and a power cut
 * leaves the old or the new file, never an empty one.
 */
export const replaceFile = (path: string, text: string): Promise<void> =>
  fromDraft(path, text, async (draft) => {
    await rename(draft, path);
  });

/**
 * Like `replaceFile`, but only if the file does not exist; returns false if it does. Of several concurrent
 * callers, exactly one gets true: a hard link appears together with its content.
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
    // A write error does not contain the path.
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

/**
 * Makes a created or renamed file durable: its name is on disk only after its folder is synced. Windows
 * cannot open folders and does not need this.
 */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MasterKey } from '../../application/ports/vault.ts';
import { KEY_BYTES, parseMasterKey } from './cipher.ts';

/**
 * The key in a file; null where there is no file.
 *
 * @throws when the file holds something else
 */
export const readMasterKeyFile = async (path: string): Promise<MasterKey | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`the master key in ${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (text === null) return null;
  const key = parseMasterKey(text.trim());
  if (key === null) throw new Error(`${path} holds no master key, which is 32 bytes in base64`);
  return key;
};

/**
 * Makes a random key in a file that only the own user reads, on disk before this resolves. The file is whole from its
 * first moment; where another process was faster, its key is answered.
 */
export const makeMasterKeyFile = async (path: string): Promise<MasterKey> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never takes the place of a key that is there.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
  return (await readMasterKeyFile(path))!;
};

/** Puts the file in the place of the other one, on disk before this resolves. */
export const replaceMasterKeyFile = async (from: string, path: string): Promise<void> => {
  await rename(from, path);
  await syncDirectory(dirname(path));
};

/** So that the new name outlives a crash of the machine (fsync(2)). Windows cannot open directories. */
const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

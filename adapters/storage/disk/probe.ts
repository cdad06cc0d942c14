import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { FILE_MODE } from './directories.ts';

const BYTES = Buffer.alloc(64 * 1024);
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** For so long an answer holds, however often it is asked for: anybody may ask, and it costs a write. */
const HOLDS_MS = 5_000;

/**
 * Writes a small file, syncs it and removes it: a disk may be full, read-only or gone although its folders look well.
 *
 * @throws FileStoreUnavailable `full` when there is no room for it, else `failed`
 */
export const createWriteProbe = (directory: string, now: () => number): (() => Promise<void>) => {
  let last: { readonly answer: Promise<void>; readonly at: number } | undefined;
  return () => {
    const at = now();
    // A clock that was set back must not make an answer hold for hours.
    if (last === undefined || at < last.at || at >= last.at + HOLDS_MS) {
      last = { answer: writeOnce(directory), at };
    }
    return last.answer;
  };
};

const writeOnce = async (directory: string): Promise<void> => {
  const path = join(directory, `.probe-${randomUUID()}`);
  try {
    const handle = await open(path, 'wx', FILE_MODE);
    try {
      // Without its name already, so that no crash leaves it behind.
      await rm(path);
      await handle.writeFile(BYTES);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new FileStoreUnavailable(NO_ROOM.has(code) ? 'full' : 'failed', `files cannot be kept: ${message}`);
  }
};

import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { FILE_MODE } from './directories.ts';

const BYTES = Buffer.alloc(64 * 1024);
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** How long a result is reused: anyone may call the probe, and it costs a write. */
const CACHE_MS = 5_000;

/**
 * Writes a small file, syncs it and removes it: a disk may be full, read-only or gone although its folders
 * look healthy.
 *
 * @throws FileStoreUnavailable `full` if there is no space, else `failed`
 */
export const createWriteProbe = (directory: string, now: () => number): (() => Promise<void>) => {
  let last: { readonly result: Promise<void>; readonly at: number } | undefined;
  return () => {
    const at = now();
    // If the clock was set back, the result must not be reused for hours.
    if (last === undefined || at < last.at || at >= last.at + CACHE_MS) {
      last = { result: probeWrite(directory), at };
    }
    return last.result;
  };
};

const probeWrite = async (directory: string): Promise<void> => {
  const path = join(directory, `.probe-${randomUUID()}`);
  try {
    const handle = await open(path, 'wx', FILE_MODE);
    try {
      // Unlink before writing, so that a crash leaves no file behind.
      await rm(path);
      await handle.writeFile(BYTES);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new FileStoreUnavailable(
      FULL_CODES.has(code) ? 'full' : 'failed',
      `files cannot be stored: ${message}`,
    );
  }
};

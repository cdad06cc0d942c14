import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { BrowserProgram } from './program.ts';

const STEM = 'chromium-';

/**
 * The path of a browser that can be started. One out of a package is unpacked into `folder` once, which belongs to the
 * service alone; other versions there are deleted. It is put in place whole, so that several processes may do so at once.
 */
export const readyProgram = async (program: BrowserProgram, folder: string): Promise<string> => {
  if (program.kind === 'installed') return program.path;
  const name = `${STEM}${program.version}`;
  const path = join(folder, name);
  if (await isThere(path)) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  try {
    await pipeline(
      createReadStream(program.path),
      createBrotliDecompress(),
      createWriteStream(partial, { mode: 0o700, flush: true }),
    );
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  for (const other of await readdir(folder)) {
    if (other.startsWith(STEM) && !other.startsWith(name)) await rm(join(folder, other), { force: true });
  }
  return path;
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

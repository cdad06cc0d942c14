import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What each file within a folder holds, each byte as a character. Those that go while it is read are left out. */
export const onDisk = async (
  folder: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(path, 'latin1').catch(() => null) })),
  );
  return found.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
};

/** Paths of the files that hold a word, in a folder that `onDisk` has read. */
export const holding = (files: Awaited<ReturnType<typeof onDisk>>, word: string): readonly string[] =>
  files.filter(({ text }) => text.includes(word)).map(({ path }) => path);

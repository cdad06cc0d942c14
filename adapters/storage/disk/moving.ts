import { rename, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDirectoryTree, inParallel } from './directories.ts';
import { pathIn } from './writing.ts';

const WIDTH = 16;

/**
 * Moves stored files into the tree of another store on the same disk. Sets their time to `now` and makes them
 * durable.
 */
export const moveFiles = async (
  files: readonly { readonly name: string; readonly path: string }[],
  root: string,
  now: number,
): Promise<void> => {
  const tree = createDirectoryTree(root, WIDTH);
  const targets = files.map(({ name }) => dirname(pathIn(root, name)));
  await inParallel(new Set(targets), WIDTH, (directory) => tree.create(directory));
  await inParallel(files, WIDTH, async ({ name, path }) => {
    await utimes(path, now / 1_000, now / 1_000);
    await rename(path, pathIn(root, name));
  });
  await tree.settle(new Set(targets));
};

import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

/** A file of this machine that is to be uploaded. */
export interface FoundFile {
  readonly path: string;
  /** Its name in the group: where it lies below the folder that was given. */
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modified: number;
}

/** Of other programs, and large. */
const SKIPPED = new Set(['node_modules']);

/**
 * The files that are named, and those of named folders with all below, by name. Hidden ones and links are left out, but
 * for those that are named themselves. Where several folders are named, the names of their files begin with theirs.
 *
 * @throws Error where something that is named is not there
 */
export const findFiles = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
  const found = await Promise.all(paths.map((path) => filesAt(path, paths.length > 1)));
  return found.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const filesAt = async (path: string, several: boolean): Promise<readonly FoundFile[]> => {
  const info = await stat(path).catch(() => {
    throw new Error(`${path} is not there`);
  });
  if (info.isFile()) return [fileOf(path, basename(path), info)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const prefix = several ? [basename(path)] : [];
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));
  const wanted = files.filter(
    (file) => !partsOf(path, file).some((part) => part.startsWith('.') || SKIPPED.has(part)),
  );
  return Promise.all(
    wanted.map(async (file) => fileOf(file, [...prefix, ...partsOf(path, file)].join('/'), await stat(file))),
  );
};

const partsOf = (folder: string, file: string): readonly string[] => relative(folder, file).split(sep);

const fileOf = (path: string, name: string, info: { readonly size: number; readonly mtimeMs: number }) => ({
  path,
  name,
  bytes: info.size,
  modified: Math.round(info.mtimeMs),
});

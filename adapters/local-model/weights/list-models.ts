import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledModel, readManifest } from './manifest.ts';

/** All models that lie below `root` with all their files in their lengths, by their names. */
export const listModels = (root: string): readonly InstalledModel[] =>
  foldersIn(root)
    .flatMap((folder) => {
      const manifest = readManifest(folder);
      return manifest === null ? [] : [{ ...manifest, folder }];
    })
    .filter(({ folder, files }) =>
      files.every(
        ({ path, bytes }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes,
      ),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

const foldersIn = (root: string): readonly string[] => {
  try {
    return readdirSync(root)
      .filter((name) => !name.startsWith('.'))
      .map((name) => join(root, name));
  } catch {
    return []; // nothing was fetched yet
  }
};

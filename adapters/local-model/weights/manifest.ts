import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe } from './recipe.ts';
import { folderOf } from './model-name.ts';

/** A file of a model, as it was when it was fetched. */
export interface ModelFile {
  /** Below the model's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What lies beside the files of a model: all of them with their hashes, and how its vectors or scores are made. */
export interface Manifest {
  readonly format: 1;
  readonly name: string;
  /** Of the source: a commit of a hub, or null where the source has none. */
  readonly revision: string | null;
  /** Path of the graph, one of `files`. */
  readonly weights: string;
  readonly recipe: Recipe;
  readonly files: readonly ModelFile[];
}

/** A model that is there, with its folder. */
export interface InstalledModel extends Manifest {
  readonly folder: string;
}

export const MANIFEST = 'manifest.json';

/** A model cannot be used as it lies there. The message says what to do. */
export class ModelNotInstalled extends Error {
  override readonly name = 'ModelNotInstalled';
}

export const commandFor = (name: string): string => `npm run model -- fetch ${name}`;

/**
 * The model of this name below `root`, if all its files are there in their lengths. Hashes are looked at when the model
 * is loaded: see `verifyFiles`.
 *
 * @throws ModelNotInstalled
 */
export const installedModel = (root: string, name: string): InstalledModel => {
  const folder = folderOf(root, name);
  const manifest = manifestIn(folder, name);
  if (manifest === null)
    throw new ModelNotInstalled(`the model ${name} is not in ${root}: ${commandFor(name)}`);
  for (const { path, bytes } of manifest.files) {
    if (lengthOf(join(folder, path)) === bytes) continue;
    throw new ModelNotInstalled(`${path} of the model ${name} is not as it was fetched: ${commandFor(name)}`);
  }
  return { ...manifest, folder };
};

/** Null where there is none, or one of another model. */
export const manifestIn = (folder: string, name: string): Manifest | null => {
  const manifest = readManifest(folder);
  return manifest?.name === name ? manifest : null;
};

/** Null where there is none that can be read. */
export const readManifest = (folder: string): Manifest | null => {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
    return manifest.format === 1 ? manifest : null;
  } catch {
    return null;
  }
};

/**
 * Names vectors: those of other files, or made by another recipe, cannot be compared, also where the name of the model is
 * the same.
 */
export const labelOf = ({ name, files, recipe }: Manifest): string => {
  const content = files.map(({ path, sha256 }) => `${sha256} ${path}`).toSorted();
  const digest = createHash('sha256')
    .update(JSON.stringify([recipe, content]))
    .digest('hex');
  return `local:${name}@${digest.slice(0, 12)}`;
};

const lengthOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

import { createHash } from 'node:crypto';
import { readFileSync, statSync, createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

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

/** Whether every file has the hash that it was fetched with. @throws ModelNotInstalled */
export const verifyFiles = async ({ name, folder, files }: InstalledModel): Promise<void> => {
  for (const { path, sha256 } of files) {
    if ((await hashOf(join(folder, path))) === sha256) continue;
    throw new ModelNotInstalled(`${path} of the model ${name} is not as it was fetched: ${commandFor(name)}`);
  }
};

/** Null where the file cannot be read. @param before hashed before the bytes of the file */
export const hashOf = async (
  path: string,
  algorithm: 'sha256' | 'sha1' = 'sha256',
  before = '',
): Promise<string | null> => {
  const hash = createHash(algorithm).update(before);
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
};

/** As hubs name models: `owner/name`, or a name alone. Never a path that leads elsewhere. */
const NAME = /^(?:[A-Za-z0-9_][\w.-]{0,95}\/)?[A-Za-z0-9_][\w.-]{0,95}$/;

export const isModelName = (name: string): boolean => NAME.test(name) && !name.includes('--');

/** The folder of a model; a name has one part alone there. */
export const folderOf = (root: string, name: string): string => join(root, name.replace('/', '--'));

/** How the vectors of the tokens become that of the text; `given`: the graph does it itself. */
export type Pooling = 'mean' | 'cls' | 'max' | 'last' | 'given';

/** How texts become vectors, by what the files of a model say. */
export interface EmbeddingRecipe {
  readonly task: 'embedding';
  readonly pooling: Pooling;
  /** Put before each text. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** What the model reads of a text, special tokens included; the rest is left out. */
  readonly tokens: number;
  readonly pad: number;
}

/** How a question and a text become a score. */
export interface RerankingRecipe {
  readonly task: 'reranking';
  /** Logits of one label, or of two, the second of which means that the text answers the question. */
  readonly labels: 1 | 2;
  /** Of question and text together. */
  readonly tokens: number;
  readonly pad: number;
}

/** Stored in the manifest, so that it stays what it was when the first text was embedded. */
export type Recipe = EmbeddingRecipe | RerankingRecipe;

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

const commandFor = (name: string): string => `npm run model -- fetch ${name}`;

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

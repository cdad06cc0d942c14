import { createHash } from 'node:crypto';
import { readFileSync, statSync, createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** All models below `root` whose files have the right lengths, by name. */
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

/** Verifies that every file has the hash that it was fetched with. @throws ModelNotInstalled */
export const verifyFiles = async ({ name, folder, files }: InstalledModel): Promise<void> => {
  for (const { path, sha256 } of files) {
    if ((await hashOf(join(folder, path))) === sha256) continue;
    throw new ModelNotInstalled(`${path} of the model ${name} is not as it was fetched: ${commandFor(name)}`);
  }
};

/** Null when the file cannot be read. @param before hashed before the bytes of the file */
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

/** Model names as on hubs: `owner/name`, or a name alone. Never a path that leads elsewhere. */
const NAME = /^(?:[A-Za-z0-9_][\w.-]{0,95}\/)?[A-Za-z0-9_][\w.-]{0,95}$/;

export const isModelName = (name: string): boolean => NAME.test(name) && !name.includes('--');

/** The folder of a model, which is a single path segment. */
export const folderOf = (root: string, name: string): string => join(root, name.replace('/', '--'));

/** How token vectors become the vector of the text; `given`: the graph does it itself. */
export type Pooling = 'mean' | 'cls' | 'max' | 'last' | 'given';

/** How texts become vectors, as the files of a model say. */
export interface EmbeddingRecipe {
  readonly task: 'embedding';
  readonly pooling: Pooling;
  /** Prefixes of texts. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** Maximum number of tokens of a text, including special tokens; the rest is cut off. */
  readonly tokens: number;
  readonly pad: number;
}

/** How a question and a text become a score. */
export interface RerankingRecipe {
  readonly task: 'reranking';
  /** Logits of one label, or of two, where the second means that the text answers the question. */
  readonly labels: 1 | 2;
  /** Maximum for question and text together. */
  readonly tokens: number;
  readonly pad: number;
}

/** Stored in the manifest, so that it never changes after the first text was embedded. */
export type Recipe = EmbeddingRecipe | RerankingRecipe;

/** A file of a model, as it was fetched. */
export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Stored next to the files of a model: their hashes, and how its vectors or scores are made. */
export interface Manifest {
  readonly format: 1;
  readonly name: string;
  /** Revision of the source: a commit of a hub, or null when the source has none. */
  readonly revision: string | null;
  /** Path of the graph, one of `files`. */
  readonly weights: string;
  readonly recipe: Recipe;
  readonly files: readonly ModelFile[];
}

/** An installed model, with its folder. */
export interface InstalledModel extends Manifest {
  readonly folder: string;
}

export const MANIFEST = 'manifest.json';

/** An installed model cannot be used as it is. The message says what to do. */
export class ModelNotInstalled extends Error {
  override readonly name = 'ModelNotInstalled';
}

const commandFor = (name: string): string => `npm run model -- fetch ${name}`;

/**
 * The model of this name below `root`, if all its files have the right lengths. Hashes are checked when the model is
 * loaded: see `verifyFiles`.
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

/** Null when there is none, or one of another model. */
export const manifestIn = (folder: string, name: string): Manifest | null => {
  const manifest = readManifest(folder);
  return manifest?.name === name ? manifest : null;
};

/** Null when it is missing or unreadable. */
export const readManifest = (folder: string): Manifest | null => {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
    return manifest.format === 1 ? manifest : null;
  } catch {
    return null;
  }
};

/**
 * Identifies vectors: vectors of other files or another recipe cannot be compared, even if the model's name is the
 * same.
 */
export const labelOf = ({ name, files, recipe }: Manifest): string => {
  const content = files.map(({ path, sha256 }) => `${sha256} ${path}`).toSorted();
  const digest = createHash('sha256')
    .update(JSON.stringify([recipe, content]))
    .digest('hex');
  return `local:${name}@${digest.slice(0, 12)}`;
};

const lengthOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeModel, type DescribeOptions, ModelNotDescribed } from './describe.ts';
import {
  type InstalledModel,
  type Manifest,
  MANIFEST,
  manifestIn,
  ModelNotInstalled,
  folderOf,
  verifyFiles,
} from './manifest.ts';
import { receiveFile, type Receiving } from './receive-file.ts';
import type { WeightsSource } from './source.ts';

/** Usual names of graphs: 8-bit ones first, which have a quarter of the size and are twice as fast on CPUs. */
const WEIGHTS = [
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'model_quantized.onnx',
  'onnx/model.onnx',
  'model.onnx',
];

/** Files that describe tokenization and pooling; the first two are required. */
const NEEDED = ['config.json', 'tokenizer.json'];
const BESIDE = [
  'tokenizer_config.json',
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
const POOLING = /^\d+_Pooling\/config\.json$/;

interface Selection {
  readonly weights: string;
  /** Includes the weights and their external data. */
  readonly paths: readonly string[];
}

/**
 * Selects the files to fetch from all files of a model: one graph, and the files that it needs.
 *
 * @param wanted the graph that the user has named
 * @throws ModelNotDescribed
 */
const selectFiles = (all: readonly string[], wanted: string | undefined): Selection => {
  const there = new Set(all);
  const graphs = all.filter((path) => path.endsWith('.onnx'));
  const weights = wanted ?? WEIGHTS.find((path) => there.has(path));
  if (weights === undefined || !there.has(weights))
    throw new ModelNotDescribed(
      graphs.length === 0
        ? 'it has no weights in ONNX: look for a copy that has, such as those of onnx-community or Xenova'
        : `name its weights by --weights, one of ${graphs.slice(0, 12).join(', ')}`,
    );
  const missing = NEEDED.find((path) => !there.has(path));
  if (missing !== undefined) throw new ModelNotDescribed(`it has no ${missing}`);
  const external = all.filter((path) => path.startsWith(`${weights}_data`) || path === `${weights}.data`);
  const beside = all.filter((path) => BESIDE.includes(path) || POOLING.test(path));
  return { weights, paths: [...NEEDED, ...beside, weights, ...external] };
};

export interface Progress {
  readonly path: string;
  readonly bytes: number;
  /** Null when the source does not say. */
  readonly of: number | null;
}

export interface FetchDeps {
  readonly source: WeightsSource;
  /** Parent folder of all models, each in a folder of its own. */
  readonly root: string;
  readonly sleep: Receiving['sleep'];
  readonly onProgress: (progress: Progress) => void;
}

export interface FetchRequest {
  readonly name: string;
  /** The graph; undefined for the usual one. */
  readonly weights: string | undefined;
  readonly said: DescribeOptions;
  /** Fetch again even if the model is installed. */
  readonly again: boolean;
}

/**
 * Fetches a model unless it is installed and complete. Receives and checks all files in a staging folder and moves it
 * into place at the end, so that a model is installed completely or not at all. An interrupted fetch continues the next
 * time.
 *
 * @throws SourceFailed, ModelNotDescribed; the signal's reason when it aborts
 */
export const fetchModel = async (
  { source, root, sleep, onProgress }: FetchDeps,
  { name, weights: wanted, said, again }: FetchRequest,
  signal: AbortSignal,
): Promise<{ readonly model: InstalledModel; readonly fetched: boolean }> => {
  const folder = folderOf(root, name);
  const there = again ? null : await wholeModel(folder, name);
  if (there !== null) return { model: there, fetched: false };

  const offer = await source.offer(signal);
  const { weights, paths } = selectFiles(
    offer.files.map(({ path }) => path),
    wanted,
  );
  const staging = join(root, `.fetching--${basename(folder)}`);
  // Small files first: they may show that the model cannot be used.
  const files = [];
  for (const path of paths) {
    const file = offer.files.find((one) => one.path === path)!;
    const receiving = {
      source,
      folder: staging,
      sleep,
      onProgress: (bytes: number) => onProgress({ path, bytes, of: file.bytes }),
    };
    if (path === weights) describe(staging, paths, [name, ...offer.bases], said);
    files.push(await receiveFile(receiving, file, signal));
  }
  const recipe = describe(staging, paths, [name, ...offer.bases], said);
  const manifest: Manifest = { format: 1, name, revision: offer.revision, weights, recipe, files };
  await removeOthers(staging, paths);
  await write(join(staging, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await replace(folder, staging);
  return { model: { ...manifest, folder }, fetched: true };
};

/** Null when it is not installed, or not as it was fetched. */
const wholeModel = async (folder: string, name: string): Promise<InstalledModel | null> => {
  const manifest = manifestIn(folder, name);
  if (manifest === null) return null;
  try {
    const model = { ...manifest, folder };
    await verifyFiles(model);
    return model;
  } catch (error) {
    if (error instanceof ModelNotInstalled) return null;
    throw error;
  }
};

const describe = (
  folder: string,
  paths: readonly string[],
  names: readonly string[],
  said: DescribeOptions,
) => describeModel(names, (path) => (paths.includes(path) ? jsonIn(join(folder, path)) : undefined), said);

const jsonIn = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Removes files of an earlier attempt that belong to another selection. */
const removeOthers = async (folder: string, paths: readonly string[]): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !paths.some((wanted) => join(folder, wanted) === path)) await rm(path);
  }
};

const write = async (path: string, text: string): Promise<void> => {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Between the two renames there is no model for a moment; a loaded one stays loaded. */
const replace = async (folder: string, staging: string): Promise<void> => {
  const old = join(dirname(folder), `.old--${basename(folder)}`);
  await mkdir(dirname(folder), { recursive: true });
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staging, folder);
  await rm(old, { recursive: true, force: true });
};

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  folderOf,
  type InstalledModel,
  installedModel,
  MANIFEST,
  type Recipe,
} from '../../../adapters/local-model/weights/manifest.ts';
import type { ModelFiles } from './tiny-model.ts';

export const EMBEDDING = {
  task: 'embedding',
  pooling: 'mean',
  prefixes: { query: '', document: '' },
  tokens: 32,
  pad: 0,
} as const;
export const RERANKING = { task: 'reranking', labels: 1, tokens: 64, pad: 0 } as const;

/** Writes files to a folder. */
export const writeFiles = (folder: string, files: ModelFiles): void => {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
};

/** A model as it lies there when it was fetched. */
export const install = (root: string, name: string, files: ModelFiles, recipe: Recipe): InstalledModel => {
  const folder = folderOf(root, name);
  writeFiles(folder, files);
  const listed = [...files].map(([path, content]) => ({
    path,
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const weights = [...files.keys()].find((path) => path.endsWith('.onnx'))!;
  const manifest = { format: 1, name, revision: null, weights, recipe, files: listed };
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
  return installedModel(root, name);
};

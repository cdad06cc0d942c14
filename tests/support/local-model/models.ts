import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLocalModel,
  type LocalModel,
  type LocalModelOptions,
} from '../../../adapters/local-model/local-model.ts';

/** Models of a test, in a folder of their own; `close` ends their processes and deletes them. */
export const openModels = () => {
  const root = mkdtempSync(join(tmpdir(), 'knowledger-models-'));
  const opened: LocalModel[] = [];
  return {
    root,
    open: (options: Omit<LocalModelOptions, 'threads'>): LocalModel => {
      const model = createLocalModel({ threads: 1, ...options });
      opened.push(model);
      return model;
    },
    close: async (): Promise<void> => {
      await Promise.all(opened.map((model) => model.close()));
      rmSync(root, { recursive: true });
    },
  };
};

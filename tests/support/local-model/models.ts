import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLocalModel,
  type LocalModel,
  type LocalModelOptions,
} from '../../../adapters/local-model/local-model.ts';

/** Whether the runtime of 288 MB is installed; tests that run models are skipped without it. */
export const HAS_RUNTIME: boolean = (() => {
  try {
    return import.meta.resolve('onnxruntime-node') !== '';
  } catch {
    return false;
  }
})();

if (!HAS_RUNTIME) console.warn('no model is run: onnxruntime-node is not installed (npm run test:setup)');

const LEAVE_NETWORK = new URL('../../../adapters/extraction/process/disable-network.ts', import.meta.url);

/** Models of a test, in a folder of their own; `close` ends their processes and deletes them. */
export const openModels = () => {
  const root = mkdtempSync(join(tmpdir(), 'knowledger-models-'));
  const opened: LocalModel[] = [];
  return {
    root,
    open: (options: Omit<LocalModelOptions, 'threads' | 'disableNetwork'>): LocalModel => {
      const model = createLocalModel({ threads: 1, disableNetwork: LEAVE_NETWORK, ...options });
      opened.push(model);
      return model;
    },
    close: async (): Promise<void> => {
      await Promise.all(opened.map((model) => model.close()));
      rmSync(root, { recursive: true });
    },
  };
};

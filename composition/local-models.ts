import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createLocalEmbedder } from '../adapters/local-model/embedder.ts';
import { createLocalModel, type LocalModel } from '../adapters/local-model/local-model.ts';
import { createLocalReranker } from '../adapters/local-model/reranker.ts';
import {
  type InstalledModel,
  installedModel,
  labelOf,
  ModelNotInstalled,
  type Recipe,
} from '../adapters/local-model/weights/manifest.ts';
import { type Embedder, EmbedderUnavailable, type Embedders } from '../application/ports/embedder.ts';
import type { Reranker } from '../application/ports/reranker.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/environment.ts';

export const modelsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'models');

/** Threads of a model process: half of the processors, because the service and its database need some too. */
const threadsFor = (given: number | undefined): number =>
  given ?? Math.max(1, Math.floor(availableParallelism() / 2));

/** A service that closes with the container. */
export interface Closable<Service> {
  readonly service: Service;
  readonly close: () => Promise<unknown>;
}

const LEAVE_NETWORK = new URL('../adapters/extraction/process/disable-network.ts', import.meta.url);

type Models = Pick<Config, 'dataDir' | 'modelThreads'>;

/**
 * The embedder of a local model. Vectors of another local model are searched with that model as long as it is installed
 * unchanged.
 */
export const localEmbedders = (config: Models, name: string): Closable<Embedders> => {
  const open = new Map<string, { readonly model: LocalModel; readonly embedder: Embedder }>();
  const opened = (installed: InstalledModel): Embedder => {
    const label = labelOf(installed);
    const known = open.get(label);
    if (known !== undefined) return known.embedder;
    const { recipe } = installed;
    if (recipe.task !== 'embedding') throw wrongTask(installed, 'EMBEDDINGS');
    const model = createLocalModel({
      model: installed,
      threads: threadsFor(config.modelThreads),
      disableNetwork: LEAVE_NETWORK,
    });
    const embedder = createLocalEmbedder(model, recipe, label);
    open.set(label, { model, embedder });
    return embedder;
  };
  return {
    service: {
      current: opened(installed(config, name, 'EMBEDDINGS')),
      named: (label) => {
        const other = /^local:([^@]+)@/.exec(label)?.[1];
        const found = other === undefined ? null : findInstalled(config, other);
        return found === null || labelOf(found) !== label ? missingEmbedder(label) : opened(found);
      },
    },
    close: () => Promise.all([...open.values()].map(({ model }) => model.close())),
  };
};

export const localReranker = (config: Models, name: string): Closable<Reranker> => {
  const model = createLocalModel({
    model: installed(config, name, 'RERANK'),
    threads: threadsFor(config.modelThreads),
    disableNetwork: LEAVE_NETWORK,
  });
  return { service: createLocalReranker(model), close: model.close };
};

type Kind = 'EMBEDDINGS' | 'RERANK';
const TASKS: Readonly<Record<Kind, Recipe['task']>> = { EMBEDDINGS: 'embedding', RERANK: 'reranking' };

/** @throws ConfigError when the model is not installed or has another task */
export const installed = (config: Pick<Config, 'dataDir'>, name: string, kind: Kind): InstalledModel => {
  try {
    const found = installedModel(modelsFolder(config), name);
    if (found.recipe.task !== TASKS[kind]) throw wrongTask(found, kind);
    return found;
  } catch (error) {
    if (!(error instanceof ModelNotInstalled)) throw error;
    throw new ConfigError(`${kind}_MODEL=local:${name} cannot be used: ${error.message}`);
  }
};

const wrongTask = ({ name, recipe }: InstalledModel, kind: Kind): ConfigError =>
  new ConfigError(
    `${kind}_MODEL=local:${name} cannot be used: it is a model for ${recipe.task}, not for ${TASKS[kind]}`,
  );

const findInstalled = (config: Pick<Config, 'dataDir'>, name: string): InstalledModel | null => {
  try {
    return installedModel(modelsFolder(config), name);
  } catch {
    return null;
  }
};

/** Stands in for a model that is not installed but whose vectors are still stored. */
const missingEmbedder = (label: string): Embedder => ({
  model: label,
  dimensions: null,
  embed: () => Promise.reject(new EmbedderUnavailable(`${label} is not on this machine`)),
});

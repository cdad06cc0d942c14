import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Agent } from 'undici';
import { createFileProgress, type ProgressOutput, formatBytes } from '../../adapters/cli/progress.ts';
import { checkModelPackages, ModelPackagesMissing } from '../../adapters/local-model/packages.ts';
import { fetchModel } from '../../adapters/local-model/weights/fetch-model.ts';
import { createFolderSource, type WeightsSource } from '../../adapters/local-model/weights/source.ts';
import { createHubSource } from '../../adapters/local-model/weights/hub-source.ts';
import {
  listModels,
  type InstalledModel,
  type Pooling,
  type Recipe,
  isModelName,
} from '../../adapters/local-model/weights/manifest.ts';
import { sleep } from '../../adapters/system/timing.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, type Environment } from '../config/environment.ts';
import { modelsFolder } from '../local-models.ts';
import { HELP, parsedArguments } from './arguments.ts';

const HUB = 'https://huggingface.co';
const POOLINGS: readonly Pooling[] = ['mean', 'cls', 'max', 'last', 'given'];
const TASKS: readonly Recipe['task'][] = ['embedding', 'reranking'];

const OPTIONS = {
  from: { type: 'string' },
  revision: { type: 'string' },
  weights: { type: 'string' },
  task: { type: 'string' },
  pooling: { type: 'string' },
  'query-prefix': { type: 'string' },
  'document-prefix': { type: 'string' },
  again: { type: 'boolean' },
} as const;

/**
 * Manages models on this machine: `list`, or `fetch <name>` with options.
 *
 * @throws ConfigError, or Error that says what to do
 */
export const manageModels = async (
  config: Pick<Config, 'dataDir'>,
  args: readonly string[],
  env: Environment,
): Promise<void> => {
  const { values, positionals } = parsedArguments(args, OPTIONS);
  const [action, name, ...more] = positionals;
  const root = modelsFolder(config);
  if (action === 'list' && name === undefined) return list(listModels(root));
  if (action !== 'fetch' || name === undefined || more.length > 0) throw new ConfigError(HELP.model);
  if (!isModelName(name))
    throw new ConfigError(`"${name}" is not a model name such as Xenova/multilingual-e5-small`);
  await fetchOne(root, name, values, env);
};

const fetchOne = async (
  root: string,
  name: string,
  values: ReturnType<typeof parsedArguments<typeof OPTIONS>>['values'],
  env: Environment,
): Promise<void> => {
  const dispatcher = new Agent({ connect: { timeout: 10_000 } });
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('stopped; run the same command again to continue'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = createFileProgress(screenOf(process.stderr));
  try {
    const request = {
      name,
      weights: values.weights,
      again: values.again === true,
      said: {
        task: oneOf('task', TASKS, values.task),
        pooling: oneOf('pooling', POOLINGS, values.pooling),
        queryPrefix: values['query-prefix'],
        documentPrefix: values['document-prefix'],
      },
    };
    const source = sourceOf(values, name, dispatcher, env);
    const deps = { source, root, sleep, onProgress: progress.show };
    const { model, fetched } = await fetchModel(deps, request, stopping.signal).finally(progress.end);
    tell(model, fetched);
  } finally {
    await dispatcher.destroy();
  }
};

const sourceOf = (
  {
    from = HUB,
    revision = 'main',
  }: { readonly from?: string | undefined; readonly revision?: string | undefined },
  name: string,
  dispatcher: Agent,
  env: Environment,
): WeightsSource => {
  if (/^https?:\/\//.test(from)) return createHubSource({ dispatcher, url: from, name, revision });
  // npm runs scripts in the project folder, so the path resolves against the folder of the caller.
  const folder = resolve(env['INIT_CWD'] ?? '.', from);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return createFolderSource(folder);
  throw new ConfigError(`--from takes a folder, or the URL of a hub: ${folder} is not a folder`);
};

const tell = (model: InstalledModel, fetched: boolean): void => {
  const { name, recipe, folder } = model;
  console.log(`${fetched ? 'fetched' : 'already installed and complete'}: ${lineOf(model)}\n  in ${folder}`);
  if (recipe.task === 'embedding') {
    const { query, document } = recipe.prefixes;
    console.log(
      `  vectors by ${recipe.pooling}, before questions ${JSON.stringify(query)}, before documents ${JSON.stringify(document)}`,
    );
  }
  console.log(`  use it: ${recipe.task === 'embedding' ? 'EMBEDDINGS' : 'RERANK'}_MODEL=local:${name}`);
  try {
    checkModelPackages();
  } catch (error) {
    if (!(error instanceof ModelPackagesMissing)) throw error;
    console.log(`  to run, ${error.message}`);
  }
};

const list = (models: readonly InstalledModel[]): void => {
  if (models.length === 0) console.log('no models are installed: npm run model -- fetch <name>');
  for (const model of models) console.log(lineOf(model));
};

const lineOf = ({ name, recipe, weights, revision, files }: InstalledModel): string => {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const from = revision === null ? '' : `, revision ${revision.slice(0, 12)}`;
  return `${name}  ${recipe.task}, ${weights}, ${formatBytes(bytes)}, ${recipe.tokens} tokens${from}`;
};

const screenOf = (stream: NodeJS.WriteStream): ProgressOutput => ({
  write: (text) => void stream.write(text),
  isTerminal: stream.isTTY,
});

const oneOf = <T extends string>(
  option: string,
  all: readonly T[],
  value: string | undefined,
): T | undefined => {
  const found = all.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new ConfigError(`--${option} takes ${all.join(', ')}`);
};

import { ConfigError, type Environment } from './environment.ts';
import { type LocalModelConfig, readLocalModel } from './local-model-config.ts';
import { baseUrl, modelName, secret } from './provider-variables.ts';

/** A provider of embeddings that speaks OpenAI's interface. */
export interface EmbeddingsProvider {
  /** Base of the API, without `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

export type EmbeddingsConfig = EmbeddingsProvider | LocalModelConfig;

/** @throws ConfigError where one of address and model is given without the other */
export const readEmbeddings = (env: Environment): EmbeddingsConfig | undefined => {
  const local = readLocalModel(env, 'EMBEDDINGS');
  if (local !== undefined) return local;
  const base = baseUrl(env, 'EMBEDDINGS_URL', 'EMBEDDINGS_API_KEY');
  const model = env['EMBEDDINGS_MODEL'] || undefined;
  const key = secret(env, 'EMBEDDINGS_API_KEY');
  if (base === undefined && model === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'EMBEDDINGS_URL takes the base URL of the API: EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY alone say not where. A model of this machine is EMBEDDINGS_MODEL=local:<name>',
    );
  if (model === undefined)
    throw new ConfigError(
      'EMBEDDINGS_MODEL takes the name of the model: EMBEDDINGS_URL alone says not which',
    );
  return { url: base, model: modelName(env, 'EMBEDDINGS_MODEL'), key };
};

import { ConfigError, type Environment } from './environment.ts';
import { type LocalModelConfig, readLocalModel } from './local-model-config.ts';
import { baseUrl, modelName, secret } from './provider-variables.ts';

/** A server that speaks `/rerank`. */
export interface RerankServer {
  /** Base of the API, without `/rerank`. */
  readonly url: string;
  /** Undefined: a text-embeddings-inference server, which has one model. */
  readonly model: string | undefined;
  readonly key: string | undefined;
}

export type RerankConfig = RerankServer | LocalModelConfig;

/** @throws ConfigError for a model or a key without an address */
export const readRerank = (env: Environment): RerankConfig | undefined => {
  const local = readLocalModel(env, 'RERANK');
  if (local !== undefined) return local;
  const base = baseUrl(env, 'RERANK_URL', 'RERANK_API_KEY');
  const named = env['RERANK_MODEL'] || undefined;
  const key = secret(env, 'RERANK_API_KEY');
  if (base === undefined && named === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'RERANK_URL takes the base URL of the API: RERANK_MODEL and RERANK_API_KEY alone say not where. A model of this machine is RERANK_MODEL=local:<name>',
    );
  return { url: base, model: named && modelName(env, 'RERANK_MODEL'), key };
};

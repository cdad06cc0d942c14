import { ConfigError, type Environment } from './environment.ts';
import { baseUrl, modelName, secret } from './provider-variables.ts';

/** A server that speaks `/rerank`. */
export interface RerankConfig {
  /** Base of the API, without `/rerank`. */
  readonly url: string;
  /** Undefined: a text-embeddings-inference server, which has one model. */
  readonly model: string | undefined;
  readonly key: string | undefined;
}

/** @throws ConfigError for a model or a key without an address */
export const readRerank = (env: Environment): RerankConfig | undefined => {
  const base = baseUrl(env, 'RERANK_URL', 'RERANK_API_KEY');
  const named = env['RERANK_MODEL'] || undefined;
  const key = secret(env, 'RERANK_API_KEY');
  if (base === undefined && named === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'RERANK_URL takes the base URL of the API: RERANK_MODEL and RERANK_API_KEY alone say not where',
    );
  return { url: base, model: named && modelName(env, 'RERANK_MODEL'), key };
};

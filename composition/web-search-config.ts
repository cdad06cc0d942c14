import { ConfigError, type Environment } from './environment.ts';
import { baseUrl, secret } from './provider-variables.ts';

/** An instance of SearXNG. */
export interface WebSearchConfig {
  /** Base of the instance, without `/search`. */
  readonly url: string;
  readonly key: string | undefined;
}

/** @throws ConfigError for a key without an address */
export const readWebSearch = (env: Environment): WebSearchConfig | undefined => {
  const base = baseUrl(env, 'WEB_SEARCH_URL', 'WEB_SEARCH_API_KEY');
  const key = secret(env, 'WEB_SEARCH_API_KEY');
  if (base === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'WEB_SEARCH_URL takes the base URL of a SearXNG instance: WEB_SEARCH_API_KEY alone says not where',
    );
  return { url: base, key };
};

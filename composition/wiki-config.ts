import { decimal, type Environment } from './environment.ts';
import { readProviderUrl } from './provider-url.ts';

export interface WikiConfig {
  /** Base of the API of the wikis. */
  readonly apiUrl: string;
  /** Of one secret, in one process. */
  readonly requestsPerSecond: number;
}

/** Secrets of callers are sent to the URL. @throws ConfigError */
export const readWikis = (env: Environment): WikiConfig => {
  const apiUrl = readProviderUrl(env, 'KNOWLEDGER_WIKI_API_URL', 'https://api.notion.com/v1');
  return { apiUrl, requestsPerSecond: decimal(env, 'KNOWLEDGER_WIKI_REQUESTS_PER_SECOND', 3, 0.1, 1_000) };
};

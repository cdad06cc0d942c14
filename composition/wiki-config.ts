import { ConfigError, decimal, type Environment, url } from './environment.ts';

export interface WikiConfig {
  /** Base of the API of the wikis. */
  readonly apiUrl: string;
  /** Of one secret, in one process. */
  readonly requestsPerSecond: number;
}

const NAME = 'KNOWLEDGER_WIKI_API_URL';

/** Secrets of callers are sent to the URL. @throws ConfigError */
export const readWikis = (env: Environment): WikiConfig => {
  const apiUrl = url(env, NAME, ['http:', 'https:']) ?? 'https://api.notion.com/v1';
  const { username, password, search, hash } = new URL(apiUrl);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new ConfigError(
      `${NAME} takes no credentials and no query: data sources name a secret of their own`,
    );
  return { apiUrl, requestsPerSecond: decimal(env, 'KNOWLEDGER_WIKI_REQUESTS_PER_SECOND', 3, 0.1, 1_000) };
};

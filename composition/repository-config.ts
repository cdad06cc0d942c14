import { ConfigError, type Environment, url } from './environment.ts';

const NAME = 'KNOWLEDGER_REPOSITORY_API_URL';

/** Secrets of callers are sent there. @throws ConfigError */
export const readRepositoryUrl = (env: Environment): string => {
  const base = url(env, NAME, ['http:', 'https:']) ?? 'https://api.github.com';
  const { username, password, search, hash } = new URL(base);
  if (username === '' && password === '' && search === '' && hash === '') return base;
  throw new ConfigError(`${NAME} takes no credentials and no query: data sources name a secret of their own`);
};

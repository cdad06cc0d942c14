import { ConfigError, type Environment, url } from './environment.ts';

/** Where a provider of sources is asked. Secrets of callers are sent there. @throws ConfigError */
export const readProviderUrl = (env: Environment, name: string, fallback: string): string => {
  const base = url(env, name, ['http:', 'https:']) ?? fallback;
  const { username, password, search, hash } = new URL(base);
  if (username === '' && password === '' && search === '' && hash === '') return base;
  throw new ConfigError(`${name} takes no credentials and no query: data sources name a secret of their own`);
};

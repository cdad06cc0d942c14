import { ConfigError, type Environment, matching, url } from './environment.ts';

/**
 * The base URL of a provider's API: its key goes into a variable of its own, as URLs come to be shown.
 *
 * @param key the variable of the key
 * @throws ConfigError
 */
export const baseUrl = (env: Environment, name: string, key: string): string | undefined => {
  const base = url(env, name, ['http:', 'https:']);
  if (base === undefined) return undefined;
  const { username, password, search, hash } = new URL(base);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new ConfigError(`${name} takes no credentials and no query: set ${key}`);
  return base;
};

/** What can stand in a header. The value is never shown. @throws ConfigError */
export const secret = (env: Environment, name: string): string | undefined => {
  const value = env[name] || undefined;
  if (value !== undefined && !/^[\x21-\x7e]{1,4000}$/.test(value))
    throw new ConfigError(`${name} takes visible ASCII characters without spaces`);
  return value;
};

export const MODEL_NAME = /^[\x21-\x7e]{1,200}$/;

/** @throws ConfigError */
export const modelName = (env: Environment, name: string): string =>
  matching(
    env,
    name,
    '',
    MODEL_NAME,
    'the name of a model, 1 to 200 visible ASCII characters without spaces',
  );

import { type Config, ConfigError, type Environment } from './config.ts';

/** A running service, and the key that a command asks it with. */
export interface RemoteService {
  /** Without a path. */
  readonly url: string;
  readonly key: string;
}

/**
 * The service that a command speaks to: as its options say, else as the environment does, else the one that this
 * configuration would start.
 *
 * @param noKey what to do, where there is no key
 * @throws ConfigError
 */
export const remoteService = (
  { host, port }: Pick<Config, 'host' | 'port'>,
  env: Environment,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
  noKey: string,
): RemoteService => {
  const key = given.key ?? env['KNOWLEDGER_API_KEY'] ?? env['KNOWLEDGER_BOOTSTRAP_KEY'] ?? '';
  if (key === '') throw new ConfigError(noKey);
  const url = given.url ?? env['KNOWLEDGER_URL'] ?? `http://${host}:${port}`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError(`${url} is no address of a service: write it as http://127.0.0.1:3000`);
  return { key, url: url.replace(/\/(?:api\/v1\/?)?$/, '') };
};

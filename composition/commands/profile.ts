import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type Environment } from '../config/environment.ts';

/** A running service, and the API key for it. */
export interface ServiceAddress {
  /** Base URL, without a path. */
  readonly url: string;
  readonly key: string;
}

/** Where `login` keeps a service. */
export const profileFile = (env: Environment): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'knowledger', 'profile.json');

/**
 * The service that `login` has kept; undefined where there is none.
 *
 * @throws ConfigError where others may read the file, or it is damaged
 */
export const readProfile = (env: Environment): ServiceAddress | undefined => {
  const file = profileFile(env);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return undefined;
  if ((mode & 0o077) !== 0)
    throw new ConfigError(
      `${file} holds a key, and others may read it: chmod 600 it, or run knowledger login`,
    );
  try {
    const { url, key } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ServiceAddress>;
    if (typeof url === 'string' && typeof key === 'string') return { url, key };
  } catch {
    // Told below.
  }
  throw new ConfigError(`${file} is damaged: run knowledger login`);
};

import { ensureKey } from '../bootstrap.ts';
import { ConfigError, type Config } from '../config.ts';
import { buildContainer } from '../container.ts';
import { derivedId } from '../../application/derived-id.ts';
import { openDatabasesBeside } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';

/** Makes a tenant: its id follows from its name, and its first key is printed once. */
export const addTenant = async (config: Config, [name, ...rest]: readonly string[]): Promise<void> => {
  if (name === undefined || rest.length > 0 || !/^[\w .-]{1,100}$/.test(name)) {
    throw new ConfigError(
      'usage: npm run tenant -- <name>, of at most 100 letters, digits, spaces, dots or dashes',
    );
  }
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = buildContainer(config, databases, new AbortController().signal);
  try {
    const hash = container.get(T.Hash);
    const deps = {
      execute: container.get(T.Execute),
      store: container.get(T.EventStore),
      codec: container.get(T.EventCodec),
      ids: container.get(T.IdSource),
      hash,
      clock: container.get(T.Clock),
      secrets: container.get(T.Secrets),
    };
    const { tenant, key } = await ensureKey(deps, derivedId(hash, 'tenant', name), undefined);
    console.log(`tenant ${name} is ${tenant}`);
    console.log(
      key === null ? 'It has keys already.' : `Its first API key, shown only this once:\n\n  ${key}\n`,
    );
  } finally {
    await container.unbindAllAsync();
  }
};

import { isModelName } from '../adapters/local-model/weights/manifest.ts';
import { ConfigError, type Environment } from './environment.ts';

/** A model of this machine, by its name. */
export interface LocalModelConfig {
  readonly local: string;
}

const PREFIX = 'local:';

/**
 * The model that `<kind>_MODEL=local:<name>` names; undefined where it names none of this machine.
 *
 * @throws ConfigError for a name that is none, and beside an address or a key
 */
export const readLocalModel = (
  env: Environment,
  kind: 'EMBEDDINGS' | 'RERANK',
): LocalModelConfig | undefined => {
  const given = env[`${kind}_MODEL`] ?? '';
  if (!given.startsWith(PREFIX)) return undefined;
  const local = given.slice(PREFIX.length);
  if (!isModelName(local))
    throw new ConfigError(
      `${kind}_MODEL takes local:<name> with a name as hubs have them, such as local:Xenova/multilingual-e5-small`,
    );
  const other = [`${kind}_URL`, `${kind}_API_KEY`].find((name) => env[name]);
  if (other === undefined) return { local };
  throw new ConfigError(
    `${kind}_MODEL=local:… is a model of this machine, which has no ${other}: unset one of them`,
  );
};

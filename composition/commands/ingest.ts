import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ingest } from '../../adapters/cli/ingest/ingest.ts';
import { type Config, ConfigError, type Environment } from '../config.ts';
import { remoteService } from '../remote-service.ts';

const NO_KEY =
  'give an API key with the scopes ingestion:manage and knowledge:read: KNOWLEDGER_API_KEY=kn_… npm run ingest -- <folder>. ' +
  'The first start of the service has printed one; npm run tenant -- key <tenant> prints another';

/**
 * Uploads a folder, or files, to a running service: `<folder or files> [--name …] [--url …] [--key …]`.
 *
 * @throws ConfigError, Error with what to do
 */
export const ingestFiles = async (
  config: Pick<Config, 'host' | 'port'>,
  env: Environment,
  args: readonly string[],
): Promise<void> => {
  const { values, positionals } = parsed(args);
  if (positionals.length === 0) throw new ConfigError('name a folder or files: npm run ingest -- <folder>');
  const { url, key } = remoteService(config, env, values, NO_KEY);
  // npm runs scripts in the folder of the project.
  const paths = positionals.map((path) => resolve(env['INIT_CWD'] ?? '.', path));
  // Set for this command alone, the shell does not know it afterwards.
  const keyInShell = env['KNOWLEDGER_API_KEY'] === key ? '${KNOWLEDGER_API_KEY:-$KEY}' : '$KEY';
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
  };
  const name = values.name ?? basename(paths[0]!);
  if (!(await ingest({ paths, name, url, key, keyInShell }, screen))) process.exitCode = 1;
};

const parsed = (args: readonly string[]) => {
  try {
    const options = { name: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
};

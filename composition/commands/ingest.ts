import { basename, resolve } from 'node:path';
import { ingest } from '../../adapters/cli/ingest.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, type Environment } from '../config/environment.ts';
import { parsedArguments, serviceAddress } from './arguments.ts';

const NO_KEY =
  'give an API key with the scopes ingestion:manage and knowledge:read: KNOWLEDGER_API_KEY=kn_… npm run ingest -- <folder>. ' +
  'The first start of the service has printed one; npm run tenant -- key <tenant> prints another';

const OPTIONS = { name: { type: 'string' }, url: { type: 'string' }, key: { type: 'string' } } as const;

/**
 * Uploads a folder, or files, to a running service: `<folder or files> [--name …] [--url …] [--key …]`.
 *
 * @throws ConfigError, or Error that says what to do
 */
export const ingestFiles = async (
  config: Config,
  args: readonly string[],
  env: Environment,
): Promise<void> => {
  const { values, positionals } = parsedArguments(args, OPTIONS);
  if (positionals.length === 0) throw new ConfigError('name a folder or files: npm run ingest -- <folder>');
  const { url, key } = serviceAddress(config, values, NO_KEY, env);
  // npm runs scripts in the project folder, so paths resolve against the folder of the caller.
  const paths = positionals.map((path) => resolve(env['INIT_CWD'] ?? '.', path));
  // If the key was set only for this command, the shell does not have it afterwards.
  const keyInShell = env['KNOWLEDGER_API_KEY'] === key ? '${KNOWLEDGER_API_KEY:-$KEY}' : '$KEY';
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
  };
  const name = values.name ?? basename(paths[0]!);
  if (!(await ingest({ paths, name, url, key, keyInShell }, screen))) process.exitCode = 1;
};

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { reasonOf } from '../../adapters/cli/failures.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { parsedArguments, serviceAddress } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { profileFile } from './profile.ts';

/** Tries a key, and keeps it with the address of its service. */
export const login = async (config: Config, args: readonly string[], env: Environment): Promise<void> => {
  const { values } = parsedArguments(args, { url: { type: 'string' } }, false);
  const address = serviceAddress(config, { url: values.url, key: await askedKey() }, 'no key was given');
  await createClient(address)
    .get('/source-groups', { query: { limit: 1 } })
    .catch((error: { status?: number }) => {
      // A key that may not list sources is one too.
      if (error.status !== 403) throw reasonOf(error, address.url);
    });
  const file = profileFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify(address), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  console.error(`kept in ${file}`);
};

/** Not shown while it is typed. */
const askedKey = async (): Promise<string> => {
  if (process.stdin.isTTY) process.stderr.write('API key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(EXIT.interrupted);
  });
  for await (const line of lines) {
    if (process.stdin.isTTY) process.stderr.write('\n');
    lines.close();
    return line.trim();
  }
  return '';
};

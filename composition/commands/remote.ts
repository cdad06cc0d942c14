import { createOutput } from '../../adapters/cli/output.ts';
import { REMOTE } from '../../adapters/cli/remote.ts';
import { reasonOf } from '../../adapters/cli/failures.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { parsedArguments, serviceAddress } from './arguments.ts';
import { EXIT } from './exit-codes.ts';

const NO_KEY = 'give an API key: knowledger login keeps one, KNOWLEDGER_API_KEY or --key names one';
const COMMON = { json: { type: 'boolean' }, url: { type: 'string' }, key: { type: 'string' } } as const;

/** Runs a command that a running service answers. */
export const askService =
  (name: keyof typeof REMOTE) =>
  async (config: Config, args: readonly string[], env: Environment): Promise<void> => {
    const command = REMOTE[name];
    const over = new AbortController();
    process.once('SIGINT', () => over.abort(new Error('interrupted')));
    const screen = {
      write: (text: string) => void process.stderr.write(text),
      isTerminal: process.stderr.isTTY,
    };
    let at = '';
    try {
      const { values, positionals } = parsedArguments(args, { ...command.options, ...COMMON });
      const { json, url, key, ...own } = values as typeof values & {
        json?: boolean;
        url?: string;
        key?: string;
      };
      const address = serviceAddress(config, { url, key }, NO_KEY, env);
      at = address.url;
      const out = createOutput(
        (text) => void process.stdout.write(text),
        (line) => screen.write(`${line}\n`),
        json ?? !process.stdout.isTTY,
      );
      const client = createClient(address);
      const call = { client, positionals, values: own, out, screen, signal: over.signal };
      if (!(await command.run(call))) process.exitCode = 1;
    } catch (error) {
      if (!over.signal.aborted) throw reasonOf(error, at);
    }
    if (over.signal.aborted) process.exitCode = EXIT.interrupted;
  };

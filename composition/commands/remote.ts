import { createOutput } from '../../adapters/cli/output.ts';
import { REMOTE, WrongUse } from '../../adapters/cli/remote.ts';
import { reasonOf } from '../../adapters/cli/service.ts';
import { createClient, KnowledgerError } from '../../clients/typescript/src/index.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, type Environment } from '../config/environment.ts';
import { HELP, parsedArguments, serviceAddress } from './arguments.ts';

const NO_KEY = 'give an API key: knowledger login keeps one, KNOWLEDGER_API_KEY or --key names one';
const COMMON = { json: { type: 'boolean' }, url: { type: 'string' }, key: { type: 'string' } } as const;

/** What the exit code says, beside 0 and 1 of commands that did or failed. */
const EXIT = { wrongUse: 2, notFound: 3, forbidden: 4, unavailable: 5, interrupted: 130 } as const;

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
      const [code, line] = over.signal.aborted ? [EXIT.interrupted, ''] : failure(error, name, at);
      process.exitCode = code;
      if (line !== '') console.error(`knowledger: ${line}`);
    }
  };

const failure = (
  error: unknown,
  name: keyof typeof REMOTE,
  url: string,
): readonly [code: number, line: string] => {
  const { message } = error as Error;
  if (error instanceof WrongUse || error instanceof ConfigError)
    return [EXIT.wrongUse, `${message}\n${error instanceof WrongUse ? HELP[name] : ''}`.trimEnd()];
  if (error instanceof KnowledgerError) {
    const { status } = error;
    if (status === 401 || status === 403) return [EXIT.forbidden, message];
    if (status === 404) return [EXIT.notFound, message];
    return [status === 429 || status > 501 ? EXIT.unavailable : 1, message];
  }
  return [error instanceof TypeError ? EXIT.unavailable : 1, reasonOf(error, url).message];
};

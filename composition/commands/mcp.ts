import { once } from 'node:events';
import { setTimeout as elapsed } from 'node:timers/promises';
import { relay } from '../../adapters/cli/mcp-relay.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { parsedArguments, serviceAddress } from './arguments.ts';

const NO_KEY =
  'give an API key with the scope knowledge:read or inference:run in KNOWLEDGER_API_KEY. The first start of the service ' +
  'has printed one; npm run tenant -- key <tenant> prints another';

/** How long to wait for pending responses after the input has ended: as long as a slow language model takes. */
const ANSWERS_WITHIN_MS = 120_000;

/**
 * Speaks the Model Context Protocol over standard input and output with a running service, for clients that start a
 * program: `[--url …] [--key …] [--principal-id …] [--authz-policy …]`. Ends when the input has ended and its requests
 * are answered, or when the output is closed.
 *
 * @throws ConfigError that says what to do
 */
export const speakMcp = async (config: Config, args: readonly string[], env: Environment): Promise<void> => {
  const { values: given } = parsedArguments(args, OPTIONS, false);
  const { url, key } = serviceAddress(config, given, NO_KEY, env);
  const unread = new AbortController();
  process.stdout.once('close', () => unread.abort()).once('error', () => unread.abort());
  await relay({
    url: addressOf(url, given),
    key,
    input: process.stdin,
    output: async (line) => {
      if (unread.signal.aborted || process.stdout.write(`${line}\n`)) return;
      await once(process.stdout, 'drain', { signal: unread.signal }).catch(() => {});
    },
    tell: (line) => console.error(line),
    deadline: (signal) =>
      elapsed(ANSWERS_WITHIN_MS, undefined, { signal: AbortSignal.any([signal, unread.signal]) }).catch(
        () => {},
      ),
  });
};

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'principal-id': { type: 'string' },
  'authz-policy': { type: 'string' },
} as const;

type Given = { readonly [Name in 'principal-id' | 'authz-policy']?: string | undefined };

const addressOf = (base: string, given: Given): URL => {
  const url = new URL(`${base}/mcp`);
  for (const name of ['principal-id', 'authz-policy'] as const) {
    const value = given[name];
    if (value !== undefined) url.searchParams.set(name.replace('-', '_'), value);
  }
  return url;
};

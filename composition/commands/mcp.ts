import { once } from 'node:events';
import { setTimeout as elapsed } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { relay } from '../../adapters/cli/mcp/relay.ts';
import { type Config, ConfigError, type Environment } from '../config.ts';
import { remoteService } from '../remote-service.ts';

const NO_KEY =
  'give an API key with the scope knowledge:read or inference:run in KNOWLEDGER_API_KEY. The first start of the service ' +
  'has printed one; npm run tenant -- key <tenant> prints another';

/** How long an answer is waited for behind the end of the input: as long as that of a slow language model. */
const PATIENCE_MS = 120_000;

/**
 * Speaks the Model Context Protocol over standard input and output, for clients that start a program, with a running
 * service: `[--url …] [--key …] [--principal-id …] [--authz-policy …]`. Ends when the input has
 * ended and what it asked is answered, or nobody reads the output any more.
 *
 * @throws ConfigError with what to do
 */
export const speakMcp = async (
  config: Pick<Config, 'host' | 'port'>,
  env: Environment,
  args: readonly string[],
): Promise<void> => {
  const given = parsed(args);
  const { url, key } = remoteService(config, env, given, NO_KEY);
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
    patience: (signal) => patience(AbortSignal.any([signal, unread.signal])),
  });
};

const patience = (signal: AbortSignal): Promise<void> =>
  elapsed(PATIENCE_MS, undefined, { signal }).catch(() => {});

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'principal-id': { type: 'string' },
  'authz-policy': { type: 'string' },
} as const;

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
};

const addressOf = (base: string, given: ReturnType<typeof parsed>): URL => {
  const url = new URL(`${base}/mcp`);
  for (const name of ['principal-id', 'authz-policy'] as const) {
    const value = given[name];
    if (value !== undefined) url.searchParams.set(name.replace('-', '_'), value);
  }
  return url;
};

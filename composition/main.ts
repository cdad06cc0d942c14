import type { Logger } from '../application/ports/logger.ts';
import { HELP, helpFor, USAGE } from './commands/arguments.ts';
import { type Config, readConfig } from './config/config.ts';
import { ConfigError, type Environment } from './config/environment.ts';
import { createLog } from './process.ts';

/**
 * Logs an unexpected error as one line, where Node would print it. Exit handlers stop what must stop with the process.
 */
const reportUnexpected = (log: Logger): void => {
  process.on('uncaughtException', (error) => {
    log.error(`knowledger: ${error.message}`, { stack: error.stack });
    process.exit(1);
  });
};

/** Duplicates a check of `readConfig`, because that may be what failed. */
const logsJson = ({ KNOWLEDGER_LOG_FORMAT: format }: Environment): boolean =>
  format === 'json' || (format !== 'text' && !process.stderr.isTTY);

/**
 * The reader of our output may have exited, as `| head` does. That ends a command, but not a service before its Postgres
 * is stopped.
 */
const endWithReader = (isService: boolean): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (!isService)
    process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
};

type Command = (config: Config, args: readonly string[], env: Environment) => Promise<void>;

const remote = (name: 'crawl' | 'search' | 'ask' | 'sources' | 'jobs' | 'tail' | 'keys') => async () =>
  (await import('./commands/remote.ts')).askService(name);

/** Each command imports only what it needs. */
const COMMANDS: Readonly<Record<keyof typeof HELP, () => Promise<Command>>> = {
  ingest: async () => (await import('./commands/ingest.ts')).ingestFiles,
  rebuild: async () => (await import('./commands/rebuild.ts')).rebuildViews,
  views: async () => (await import('./commands/views.ts')).showViews,
  stream: async () => (await import('./commands/stream.ts')).showStream,
  audit: async () => (await import('./commands/audit.ts')).auditLog,
  events: async () => (await import('./commands/events.ts')).exportEvents,
  tenant: async () => (await import('./commands/tenant.ts')).manageTenants,
  mcp: async () => (await import('./commands/mcp.ts')).speakMcp,
  model: async () => (await import('./commands/model.ts')).manageModels,
  'rotate-master-key': async () => (await import('./commands/rotate-master-key.ts')).rotateMasterKey,
  'make-master-key': async () => (await import('./commands/make-master-key.ts')).makeMasterKey,
  crawl: remote('crawl'),
  search: remote('search'),
  ask: remote('ask'),
  sources: remote('sources'),
  jobs: remote('jobs'),
  tail: remote('tail'),
  keys: remote('keys'),
  login: async () => (await import('./commands/login.ts')).login,
  completion: async () => (await import('./commands/completion.ts')).printCompletion,
};

const isCommand = (name: string): name is keyof typeof HELP => Object.hasOwn(HELP, name);

/**
 * Runs one command of the program; a failure becomes one line and an exit code. The last log line of a service always
 * says why it ended.
 *
 * @param takeSignals called when a service starts to handle signals itself
 */
export const main = async (args: readonly string[], takeSignals: () => void = () => {}): Promise<void> => {
  const [command, ...rest] = args;
  endWithReader(command === undefined);
  const help = helpFor(args);
  if (help !== null) return console.log(help);
  try {
    const config = readConfig(process.env, process.stderr.isTTY);
    if (command === undefined) {
      reportUnexpected(createLog(config));
      const { serve } = await import('./commands/serve.ts');
      const why = await serve(config, takeSignals);
      createLog(config).info(`stopped: ${why}`);
    } else if (isCommand(command)) {
      const run = await COMMANDS[command]();
      await run(config, rest, process.env);
    } else {
      console.error(USAGE);
      process.exitCode = 2;
    }
  } catch (error) {
    const told = error instanceof ConfigError || process.env['KNOWLEDGER_LOG_LEVEL'] !== 'debug';
    const line = `knowledger: ${told ? (error as Error).message : String((error as Error).stack)}`;
    // The last line of a service goes to its log; that of a command is for the user who typed it.
    if (command === undefined && logsJson(process.env)) {
      createLog({ log: { format: 'json', level: 'error' } }).error(line);
    } else console.error(line);
    const { exitCodeOf } = await import('./commands/exit-codes.ts');
    process.exitCode = command === undefined ? 1 : exitCodeOf(error);
  }
};

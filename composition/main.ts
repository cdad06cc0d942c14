import { type Config, ConfigError, type Environment, readConfig } from './config.ts';
import type { Logger } from '../application/ports/logger.ts';
import { helpFor, USAGE } from './commands/help.ts';
import { createLog } from './log.ts';

/** As Node does, but as a line of the log. What must be stopped with the process is stopped by its handlers of exits. */
const tellUnforeseen = (log: Logger): void => {
  process.on('uncaughtException', (error) => {
    log.error(`knowledger: ${error.message}`, { stack: error.stack });
    process.exit(1);
  });
};

/** As `readConfig` has it, which may be what failed. */
const logsJson = ({ KNOWLEDGER_LOG_FORMAT: format }: Environment): boolean =>
  format === 'json' || (format !== 'text' && !process.stderr.isTTY);

/** Whoever read what we print may be gone, as `| head` is. That must not end a service before its Postgres is stopped. */
const ignoreClosedPipes = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
};

/** Each loads what it needs and no more. Answers false to a command that there is not. */
const runCommand = async (command: string, config: Config, args: readonly string[]): Promise<boolean> => {
  if (command === 'rebuild') await (await import('./commands/rebuild.ts')).rebuildViews(config, args);
  else if (command === 'ingest') {
    await (await import('./commands/ingest.ts')).ingestFiles(config, process.env, args);
  } else if (command === 'tenant') await (await import('./commands/tenant.ts')).manageTenants(config, args);
  else if (command === 'mcp') await (await import('./commands/mcp.ts')).speakMcp(config, process.env, args);
  else if (command === 'model') {
    await (await import('./commands/model.ts')).manageModels(config, process.env, args);
  } else if (command === 'rotate-master-key') {
    await (await import('./commands/rotate-master-key.ts')).rotateMasterKey(config, args);
  } else if (command === 'make-master-key') {
    await (await import('./commands/make-master-key.ts')).makeMasterKey(args);
  } else return false;
  return true;
};

/**
 * Runs one command of the program; a failure becomes one line and exit code 1. Whatever ends a service, the last line of
 * its log says it.
 *
 * @param takeSignals called when a service watches for signals itself
 */
export const main = async (args: readonly string[], takeSignals: () => void = () => {}): Promise<void> => {
  const [command, ...rest] = args;
  ignoreClosedPipes();
  const help = helpFor(args);
  if (help !== null) return console.log(help);
  try {
    const config = readConfig(process.env, process.stderr.isTTY);
    if (command === undefined) {
      tellUnforeseen(createLog(config));
      const { serve } = await import('./commands/serve.ts');
      const why = await serve(config, takeSignals);
      createLog(config).info(`stopped: ${why}`);
    } else if (!(await runCommand(command, config, rest))) {
      console.error(USAGE);
      process.exitCode = 2;
    }
  } catch (error) {
    const told = error instanceof ConfigError || process.env['KNOWLEDGER_LOG_LEVEL'] !== 'debug';
    const line = `knowledger: ${told ? (error as Error).message : String((error as Error).stack)}`;
    // The last line of a service is one of its log; that of a command is for whoever typed it.
    if (command === undefined && logsJson(process.env)) {
      createLog({ log: { format: 'json', level: 'error' } }).error(line);
    } else console.error(line);
    process.exitCode = 1;
  }
};

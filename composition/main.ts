import { ConfigError, type Environment, readConfig } from './config.ts';
import { ingestFiles } from './commands/ingest.ts';
import { rebuildViews } from './commands/rebuild.ts';
import { serve } from './commands/serve.ts';
import { rotateMasterKey } from './commands/rotate-master-key.ts';
import { manageTenants } from './commands/tenant.ts';
import type { Logger } from '../application/ports/logger.ts';
import { createLog } from './log.ts';

const USAGE = `usage: npm start                      run the service
       npm run ingest -- <folder>     upload a folder or files to a running service, and wait until they are read
       npm run rebuild [-- view …]    build read models afresh, beside a running service or without one
       npm run tenant -- <name>       make a tenant and print its first API key
       npm run tenant -- list         list the tenants
       npm run tenant -- key <tenant> print one more API key of a tenant, by its id or name, if all were lost
       npm run rotate-master-key      encrypt all data keys under another master key`;

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

/**
 * Runs one command of the program; a failure becomes one line and exit code 1. Whatever ends a service, the last line of
 * its log says it.
 *
 * @param takeSignals called when a service watches for signals itself
 */
export const main = async (args: readonly string[], takeSignals: () => void = () => {}): Promise<void> => {
  const [command, ...rest] = args;
  ignoreClosedPipes();
  try {
    const config = readConfig(process.env, process.stderr.isTTY);
    if (command === undefined) {
      tellUnforeseen(createLog(config));
      const why = await serve(config, takeSignals);
      createLog(config).info(`stopped: ${why}`);
    } else if (command === 'rebuild') await rebuildViews(config, rest);
    else if (command === 'ingest') await ingestFiles(config, process.env, rest);
    else if (command === 'tenant') await manageTenants(config, rest);
    else if (command === 'rotate-master-key') await rotateMasterKey(config, rest);
    else {
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

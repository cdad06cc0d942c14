import { ConfigError, readConfig } from './config.ts';
import { rebuildViews } from './commands/rebuild.ts';
import { serve } from './commands/serve.ts';
import { addTenant } from './commands/tenant.ts';

const USAGE = `usage: npm start                      run the service
       npm run rebuild [-- view …]    build read models afresh, beside a running service or without one
       npm run tenant -- <name>       make a tenant and print its first API key`;

/** Runs one command of the program; a failure becomes one line and exit code 1. */
export const main = async (args: readonly string[]): Promise<void> => {
  const [command, ...rest] = args;
  try {
    const config = readConfig(process.env, process.stdout.isTTY);
    if (command === undefined) await serve(config);
    else if (command === 'rebuild') await rebuildViews(config, rest);
    else if (command === 'tenant') await addTenant(config, rest);
    else {
      console.error(USAGE);
      process.exitCode = 2;
    }
  } catch (error) {
    const told = error instanceof ConfigError || process.env['KNOWLEDGER_LOG_LEVEL'] !== 'debug';
    console.error(`knowledger: ${told ? (error as Error).message : String((error as Error).stack)}`);
    process.exitCode = 1;
  }
};

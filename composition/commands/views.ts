import { viewHealth } from '../../adapters/postgres/projections/health.ts';
import { MEANING, passedStreams } from '../../adapters/postgres/projections/passed-streams.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openDatabasesBeside } from '../databases.ts';
import { HELP } from './arguments.ts';

/** Prints the live version of every view, why it is halted, and the streams that it passes over. */
export const showViews = async (config: Config, args: readonly string[]): Promise<void> => {
  if (args.length > 0) throw new ConfigError(HELP.views);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  try {
    const { db } = databases.views;
    const passed = Map.groupBy(await passedStreams(db), ({ view }) => view);
    for (const { view, version, movedAt, haltedBecause } of await viewHealth(db)) {
      const state = haltedBecause === null ? '' : `, halted: ${haltedBecause}`;
      console.log(`${view}: version ${version}, last moved ${movedAt.toISOString()}${state}`);
      for (const { stream, example, because, events } of passed.get(view) ?? []) {
        const first = stream === example ? '' : `, such as ${example}`;
        console.log(`  passes over ${stream}${first}: ${MEANING[because]} (events so far: ${events})`);
      }
    }
  } finally {
    await databases.close();
  }
};

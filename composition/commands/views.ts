import { type ViewHealth, viewHealth } from '../../adapters/postgres/projections/health.ts';
import { MEANING, passedStreams } from '../../adapters/postgres/projections/passed-streams.ts';
import type { EventFeed } from '../../application/ports/event-store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { CORE } from '../modules/core.ts';
import { HELP } from './arguments.ts';

/**
 * Prints every view: its version, how far it has read the log, why it is halted, the version that is being built beside
 * it, and the streams that it passes over.
 */
export const showViews = async (config: Config, args: readonly string[]): Promise<void> => {
  if (!['', 'list'].includes(args.join(' '))) throw new ConfigError(HELP.views);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const { db, eventLog } = container.get(CORE);
    const passed = Map.groupBy(await passedStreams(db), ({ view }) => view);
    const lagAt = createLags(eventLog.feed);
    for (const one of await viewHealth(db, { building: true })) {
      console.log(`${one.view}: ${await stateOf(one, lagAt)}`);
      if (!one.live) continue;
      for (const { stream, example, because, events } of passed.get(one.view) ?? []) {
        const first = stream === example ? '' : `, such as ${example}`;
        console.log(`  passes over ${stream}${first}: ${MEANING[because]} (events so far: ${events})`);
      }
    }
  } finally {
    await container.unbindAllAsync();
  }
};

const stateOf = async (
  { version, live, position, movedAt, haltedBecause }: ViewHealth,
  lagAt: LagAt,
): Promise<string> => {
  const { events, seconds } = await lagAt(position);
  const count = events > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(events);
  const lag = events === 0 ? 'at the end of the log' : `behind by ${count} events, ${seconds} s`;
  const at = position === '' ? 'the beginning' : `position ${position}`;
  const halted = haltedBecause === null ? '' : `, halted: ${haltedBecause}`;
  const moved = `last moved ${movedAt.toISOString()}`;
  return `version ${version}${live ? '' : ' is being built'}, ${moved}, at ${at}, ${lag}${halted}`;
};

/** Counting goes through the events, so it ends somewhere. */
const MAX_COUNTED = 100_000;
const PAGE = 5_000;
type LagAt = (position: string) => Promise<{ readonly events: number; readonly seconds: number }>;

/** Events behind a position, and the age of the first in seconds. Views that keep up are at one position. */
const createLags = (feed: Pick<EventFeed, 'read'>): LagAt => {
  const known = new Map<string, ReturnType<LagAt>>();
  const count = async (position: string) => {
    let [events, seconds, at] = [0, 0, position];
    for (let more = true; more && events <= MAX_COUNTED;) {
      const page = await feed.read(at, {}, PAGE);
      const [first] = page.events;
      if (events === 0 && first !== undefined) seconds = Math.round((Date.now() - first.recordedAt) / 1_000);
      events += page.events.length;
      ({ position: at, more } = page);
    }
    return { events, seconds };
  };
  return (position) => {
    const lag = known.get(position) ?? count(position);
    known.set(position, lag);
    return lag;
  };
};

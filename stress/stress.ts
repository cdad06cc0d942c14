import { manyPages, openSite, type Site } from '../tests/support/site.ts';
import { checkAll } from './check-all.ts';
import { count } from './check-streams.ts';
import { newCrawl, noThings, runClient, sendAndNote, type Things } from './clients.ts';
import { isAcknowledged } from './commands.ts';
import { type Found, noFaults } from './faults.ts';
import type { Disturbances } from './disturbances.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { createRandom } from './random.ts';
import type { Store } from './store.ts';

export interface StressOptions {
  readonly store: Store;
  /** Files of the service lie here. */
  readonly dataDir: string;
  readonly seed: number;
  /** How long the clients write. */
  readonly seconds: number;
  readonly clients: number;
  /** Crawls that live at once. */
  readonly maxCrawls: number;
  /** Least and most milliseconds between two disturbances, and the share of them that freeze instead of kill. */
  readonly everyMs: readonly [number, number];
  readonly freezes: number;
  /** How long the work that is left may take in the end. */
  readonly restMs: number;
  readonly tell: (line: string) => void;
  /** Takes what is to be ended, whatever happens. */
  readonly cleanup: AsyncDisposableStack;
}

export interface StressResult extends Disturbances {
  readonly acknowledged: number;
  readonly retried: number;
  readonly jobs: number;
  readonly events: number;
  /** Crawls that ended well, whose pages were counted. */
  readonly successes: number;
  readonly found: Found;
}

const PAGES = 30;

/**
 * Writes to a service of six processes while they are killed and frozen at random, lets it come to rest, and looks whether all
 * that it acknowledged is there, once, and whether its views are what the log says.
 */
export const stress = async (options: StressOptions): Promise<StressResult> => {
  const { store, tell, cleanup } = options;
  const [found, things] = [noFaults(), noThings()];
  const site = await openSite(manyPages(PAGES));
  cleanup.defer(() => site.close());
  tell('starting six processes');
  const fleet = await startFleet({ ...options, backing: store.backing, found });
  cleanup.defer(() => fleet.stop());
  const disturbances = await write(options, fleet, site, things, found);
  const log = await checkAll(options, fleet, site, things, found);
  tell('stopping');
  await fleet.stop();
  return {
    ...disturbances,
    acknowledged: things.sent.filter(isAcknowledged).length,
    retried: things.sent.reduce((sum, { tries }) => sum + tries.length - 1, 0),
    jobs: count(log.events, 'JobQueued'),
    events: log.events.length,
    successes: log.successes,
    found,
  };
};

const write = async (
  { seed, seconds, clients, maxCrawls, tell }: StressOptions,
  fleet: Fleet,
  site: Site,
  things: Things,
  found: Found,
): Promise<Disturbances> => {
  tell(`${clients} clients write for ${seconds} s`);
  const deadline = Date.now() + seconds * 1000;
  const over = (): boolean => Date.now() >= deadline;
  const client = (i: number) => {
    const random = createRandom(seed + 1 + i);
    const deps = { fleet, random, found, things, origin: site.origin, maxCrawls };
    return { run: () => runClient(deps, over), deps };
  };
  const all = Array.from({ length: clients }, (_, i) => client(i));
  const told = setInterval(() => tell(`${things.sent.length} commands, ${things.crawls.size} crawls`), 5_000);
  try {
    const written = Promise.all(all.map(({ run }) => run()));
    const disturbances = await fleet.disturbUntil(written, createRandom(seed));
    await written;
    // One more when all is calm, so that every run has a crawl that ended well to look at.
    await sendAndNote(all[0]!.deps, newCrawl(all[0]!.deps));
    return disturbances;
  } finally {
    clearInterval(told);
  }
};

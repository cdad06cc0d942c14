import module from 'node:module';
import { dirname } from 'node:path';
import type { DatabaseAddress } from '../adapters/postgres/connection.ts';
import type { Config } from './config/config.ts';

/** Data of a search thread; must be cloneable. */
export interface SearchThreadData {
  readonly address: DatabaseAddress;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Memory for its index. */
  readonly memoryBytes: number;
  /** The cluster that is searched instead of the database. */
  readonly openSearch: Config['openSearch'];
  /** The compile cache folder; null without a cache. */
  readonly compiled: string | null;
}

/** The compile cache folder of this program: Node keeps one folder in it for each of its versions. */
export const compiledPlace = (folder = module.getCompileCacheDir?.()): string | null =>
  folder === undefined ? null : dirname(folder);

/** How the connections for everything but events are divided. */
export interface ConnectionShares {
  /** Pool size of the main thread. */
  readonly own: number;
  /** Number of search threads, and the pool size of each. */
  readonly threads: number;
  readonly ofThread: number;
}

/** A search needs few statements, and concurrent searches share them. */
const [MAX_PER_THREAD, MIN_OWN] = [4, 2];

/**
 * Search threads together get at most half of the connections; there are fewer threads when that is not enough, and
 * none in a process that never searches.
 */
export const connectionShares = (
  { search, roles }: Pick<Config, 'search' | 'roles'>,
  connections: number,
): ConnectionShares => {
  const searches = roles.has('api') || roles.has('worker');
  const threads = searches ? Math.min(search.threads, Math.max(0, connections - MIN_OWN)) : 0;
  if (threads === 0) return { own: connections, threads, ofThread: 0 };
  const ofThread = Math.max(1, Math.min(MAX_PER_THREAD, Math.floor(connections / (2 * threads))));
  return { own: connections - threads * ofThread, threads, ofThread };
};

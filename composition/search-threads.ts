import module from 'node:module';
import { dirname } from 'node:path';
import type { DatabaseAddress } from '../adapters/postgres/database.ts';
import type { SearchThreads } from '../adapters/search-workers/search-threads.ts';
import type { Config } from './config.ts';

/** What a thread that searches is told: data that can be cloned. */
export interface SearchThreadData {
  readonly address: DatabaseAddress;
  /** Most connections at once. */
  readonly connections: number;
  /** For its index. */
  readonly memoryBytes: number;
  /** Where pgvector is, if it is used. */
  readonly graphs: { readonly schema: string } | null;
  /** Where compiled sources are kept, if they are. */
  readonly compiled: string | null;
}

/** Where this program keeps them: Node has a folder there for each version of itself. */
export const compiledPlace = (folder = module.getCompileCacheDir?.()): string | null =>
  folder === undefined ? null : dirname(folder);

/** Threads that search, and their end. */
export interface OpenSearchThreads extends SearchThreads {
  readonly close: () => Promise<void>;
}

/** How the connections for everything but events are shared. */
export interface ConnectionShares {
  /** The pool of this thread. */
  readonly own: number;
  /** Threads that search, and the pool of each. */
  readonly threads: number;
  readonly ofThread: number;
}

/** A search needs few statements, and those that come together share them. */
const [MOST_OF_THREAD, LEAST_OWN] = [4, 2];

/** At most half of them for all threads together; fewer threads where there are not enough, and none for who never searches. */
export const connectionShares = (
  { search, roles }: Pick<Config, 'search' | 'roles'>,
  connections: number,
): ConnectionShares => {
  const searches = roles.has('api') || roles.has('worker');
  const threads = searches ? Math.min(search.threads, Math.max(0, connections - LEAST_OWN)) : 0;
  if (threads === 0) return { own: connections, threads, ofThread: 0 };
  const ofThread = Math.max(1, Math.min(MOST_OF_THREAD, Math.floor(connections / (2 * threads))));
  return { own: connections - threads * ofThread, threads, ofThread };
};

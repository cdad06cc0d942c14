import module from 'node:module';
import { dirname } from 'node:path';
import type { DatabaseAddress } from '../adapters/postgres/connection.ts';
import { type Extensions, isAtLeast } from '../adapters/postgres/extensions.ts';
import { type Graphs, MIN_VERSION } from '../adapters/postgres/vectors/graph-search.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config/config.ts';

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

/** How the connections for everything but events are shared. */
export interface ConnectionShares {
  /** The pool of this thread. */
  readonly own: number;
  /** Threads that search, and the pool of each. */
  readonly threads: number;
  readonly ofThread: number;
}

/** A search needs few statements, and those that come together share them. */
const [MAX_OF_THREAD, MIN_OWN] = [4, 2];

/** At most half of them for all threads together; fewer threads where there are not enough, and none for who never searches. */
export const connectionShares = (
  { search, roles }: Pick<Config, 'search' | 'roles'>,
  connections: number,
): ConnectionShares => {
  const searches = roles.has('api') || roles.has('worker');
  const threads = searches ? Math.min(search.threads, Math.max(0, connections - MIN_OWN)) : 0;
  if (threads === 0) return { own: connections, threads, ofThread: 0 };
  const ofThread = Math.max(1, Math.min(MAX_OF_THREAD, Math.floor(connections / (2 * threads))));
  return { own: connections - threads * ofThread, threads, ofThread };
};

const NOT_USED = 'vectors are searched without pgvector';

/**
 * Where pgvector can be used; null, without a word, where the server does not have it. What a database administrator
 * can do is told once.
 */
export const vectorGraphs = ({ usable, refused }: Extensions, log: Logger): Graphs | null => {
  const reason = refused.get('vector');
  if (reason !== undefined)
    log.warn(NOT_USED, {
      reason,
      remedy: 'a superuser runs CREATE EXTENSION vector in this database; then restart',
    });
  const extension = usable.get('vector');
  if (extension === undefined) return null;
  const { version, schema } = extension;
  if (!isAtLeast(version, MIN_VERSION)) {
    const remedy = `the owner of the extension runs ALTER EXTENSION vector UPDATE, to ${MIN_VERSION} or later; then restart`;
    log.warn(NOT_USED, { version, remedy });
    return null;
  }
  return graphsIn(schema, log);
};

/** Graphs by pgvector of this schema. What is wrong with them is told once, until it is something else. */
export const graphsIn = (schema: string, log: Pick<Logger, 'warn'>): Graphs => {
  let told = '';
  return {
    schema,
    onError: ({ message }) => {
      if (message !== told) log.warn(NOT_USED, { reason: message });
      told = message;
    },
  };
};

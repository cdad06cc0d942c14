import type { Container } from 'inversify';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';
import { AHEAD_OF_LOG, haltViewsAhead } from '../adapters/postgres/projections/health.ts';
import type { Projection } from '../adapters/postgres/projections/projection.ts';
import { awaitViews, prepareViews } from '../adapters/postgres/projections/rebuild.ts';
import { liveVersion } from '../adapters/postgres/projections/versions.ts';
import { bindToFiles } from '../adapters/postgres/work/database-identity.ts';
import { sleep } from '../adapters/system/timing.ts';
import { EventLogChanged } from '../application/event-sourcing/store-health/compare-log.ts';
import { FileStoreUnavailable } from '../application/ports/file-store.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/environment.ts';
import { CORE } from './modules/core.ts';
import { VIEWS } from './modules/roles.ts';

/** Prepares the file store, the views in their current schema, and removes leases of dead processes. */
export const prepare = async (container: Container, signal: AbortSignal): Promise<void> => {
  const { config, codec, log, owner } = container.get(CORE);
  const { answerLeases, databases, feed, jobLeases, leadership } = container.get(CORE);
  const { db, transact } = databases.views;
  await openFiles(container, signal);
  await compareWithLog(container);
  const { projections } = container.get(VIEWS);
  await refuseCatalogWithoutWords(db, config, projections);
  if (config.roles.has('projector')) {
    await prepareViews({ db, transact, feed, codec, log, leadership }, projections, signal, (view) =>
      log.info('rebuilding', { view }),
    );
  } else {
    await awaitViews({ db, sleep }, projections, signal, (view) => {
      log.info('waiting for a process with the role projector to make a view', { view });
    });
  }
  if (databases.embedded) {
    // Only this process uses an embedded server: every other owner of a lease is dead.
    await answerLeases.takeOver();
    const ended = await jobLeases.takeOver(owner);
    if (ended > 0) log.info('took over the leases of an earlier process', { ended });
  }
};

/** @throws ConfigError where the database is to be searched, and its catalog was made beside another engine */
const refuseCatalogWithoutWords = async (
  db: PostgresDatabase['db'],
  { openSearch }: Config,
  projections: readonly Projection[],
): Promise<void> => {
  const shape = projections.find(({ view }) => view === 'catalog')!.shape;
  if (openSearch !== undefined || (await liveVersion(db, 'catalog'))?.shape !== shape + 1) return;
  throw new ConfigError(
    'the catalog was made beside OpenSearch, so that the database has no index of its words: set OPENSEARCH_URL, or run npm run rebuild catalog',
  );
};

/**
 * Runs before the first append, and bypasses the watch. An unavailable log does not prevent the start: projectors
 * compare again.
 */
const compareWithLog = async (container: Container): Promise<void> => {
  const { log } = container.get(CORE);
  const { db, eventLog, watches } = container.get(CORE);
  try {
    const reason = await watches.events.check();
    if (reason !== null && !(reason instanceof EventLogChanged)) throw reason;
    for (const view of await haltViewsAhead(db, eventLog.feed))
      log.error('projection halted', { view, error: AHEAD_OF_LOG });
  } catch (error) {
    log.warn('the views cannot be compared with the event log', { error: (error as Error).message });
  }
};

/**
 * Checks the file store once in each process that reads or writes files: it must be the one that was used before, and
 * writable.
 *
 * @throws ConfigError, or FileStoreUnavailable of a remote store: both say what to do
 */
export const openFiles = async (container: Container, signal?: AbortSignal): Promise<void> => {
  const { config, ids } = container.get(CORE);
  const { databases, files } = container.get(CORE);
  try {
    await bindToFiles(databases.events.pool, files, ids.newId());
    await files.check(signal);
  } catch (error) {
    if (signal?.aborted === true) return;
    if (config.files !== undefined) throw error;
    throw new ConfigError(`${(error as Error).message}${remedyOf(error)}`);
  }
};

/** Errors of missing files already say what to do. */
const remedyOf = (error: unknown): string => {
  const reason = error instanceof FileStoreUnavailable ? error.reason : 'failed';
  if (reason === 'missing') return '';
  if (reason === 'full') return ': make room, or set KNOWLEDGER_DATA_DIR to another disk';
  return ': set KNOWLEDGER_DATA_DIR to a folder that can be written';
};

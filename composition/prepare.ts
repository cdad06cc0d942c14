import type { Container } from 'inversify';
import { AHEAD_OF_LOG, haltViewsAhead } from '../adapters/postgres/projections/ahead-of-log.ts';
import { awaitViews } from '../adapters/postgres/projections/await-views.ts';
import { prepareViews } from '../adapters/postgres/projections/rebuild.ts';
import { sleep } from '../adapters/system/timing.ts';
import { EventLogChanged } from '../application/event-sourcing/store-health/event-log-changed.ts';
import type { Config } from './config.ts';
import { openFiles } from './files-place.ts';
import type { Databases } from './startup.ts';
import { TOKENS as T } from './tokens.ts';

/** A place for files, views of the right shape, and no leases of the dead. */
export const prepare = async (
  container: Container,
  config: Config,
  databases: Databases,
  signal: AbortSignal,
): Promise<void> => {
  const { db, transact } = databases.views;
  const log = container.get(T.Logger);
  await openFiles(container, config, databases, signal);
  await compareWithLog(container, db);
  const projections = container.get(T.Projections);
  if (config.roles.has('projector')) {
    const [feed, codec, leadership] = [
      container.get(T.EventFeed),
      container.get(T.EventCodec),
      container.get(T.Leadership),
    ];
    await prepareViews({ db, transact, feed, codec, leadership }, projections, signal, (view) =>
      log.info('rebuilding', { view }),
    );
  } else {
    await awaitViews({ db, sleep }, projections, signal, (view) => {
      log.info('waiting for a process with the role projector to make a view', { view });
    });
  }
  if (databases.embedded) {
    // This process alone uses an embedded server: whoever else holds a lease is dead.
    const ended = await container.get(T.WorkLeases).takeOver(container.get(T.Owner));
    if (ended > 0) log.info('took over the leases of an earlier process', { ended });
  }
};

/** Before anything is appended, past the watch. A log that is away is no reason not to start: projectors compare again. */
const compareWithLog = async (container: Container, db: Databases['views']['db']): Promise<void> => {
  const log = container.get(T.Logger);
  try {
    const reason = await container.get(T.StoreWatches).events.look();
    if (reason !== null && !(reason instanceof EventLogChanged)) throw reason;
    for (const view of await haltViewsAhead(db, container.get(T.EventLog).feed))
      log.error('projection halted', { view, error: AHEAD_OF_LOG });
  } catch (error) {
    log.warn('the views cannot be compared with the event log', { error: (error as Error).message });
  }
};

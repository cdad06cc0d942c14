import type { Container } from 'inversify';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import {
  leadRebuilds,
  type RebuildResult,
  rebuildTogether,
} from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion, liveVersion } from '../../adapters/postgres/projections/versions.ts';
import { assignIdentity } from '../../application/event-sourcing/store-health/compare-log.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { COLLECTOR } from '../modules/collector.ts';
import { CORE } from '../modules/core.ts';
import { VIEWS } from '../modules/roles.ts';
import { openFiles } from '../prepare.ts';

const PROGRESS_INTERVAL_MS = 1_000;
const NEVER = new AbortController().signal;

/**
 * Rebuilds the named views (all views without a name) beside the live ones, and switches over. A rebuild of all views
 * also records the log that they were made from as the known log.
 */
export const rebuildViews = async (config: Config, names: readonly string[]): Promise<void> => {
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const { projections: own, search } = container.get(VIEWS);
    const { projection: collector } = container.get(COLLECTOR);
    const projections = [...own, search, collector].filter((projection) => projection !== undefined);
    const known = projections.map(({ view }) => view);
    const unknown = names.filter((name) => !(known as readonly string[]).includes(name));
    if (unknown.length > 0)
      throw new ConfigError(`no view is named ${unknown.join(', ')}; there are ${known.join(', ')}`);
    await openFiles(container);
    // What a collector has got, it is sent again by name alone.
    const wanted = projections.filter((projection) =>
      names.length === 0 ? projection !== collector : names.includes(projection.view),
    );
    const failed = await rebuilt(container, wanted);
    if (failed.length > 0)
      throw new Error(`not rebuilt, left unchanged: ${failed.map(reason).join('; ')}`, {
        cause: failed[0]?.error,
      });
    if (names.length === 0) await recordKnownLog(container);
  } finally {
    await container.unbindAllAsync();
  }
};

/** Records the log that all views were just made from as the known log. */
const recordKnownLog = async (container: Container): Promise<void> => {
  const { eventLog, watches } = container.get(CORE);
  const { identity } = await eventLog.probe(BEGINNING);
  const known = identity ?? (await assignIdentity(eventLog.store, container.get(CORE).ids));
  await watches.known.replace(known);
};

const reason = ({ view, error }: RebuildResult): string => `${view} (${error?.message})`;

/** Rebuilds the views concurrently and reports each. @returns the views that failed */
const rebuilt = async (
  container: Container,
  projections: readonly Projection[],
): Promise<readonly RebuildResult[]> => {
  const { codec, log } = container.get(CORE);
  const { db, transact, eventLog, leadership } = container.get(CORE);
  for (const projection of projections)
    if ((await liveVersion(db, projection.view)) === undefined) await createVersion(db, projection, true);
  // An event store that is away is one failure, not one for each view.
  await eventLog.feed.head();
  // Bypasses the watch: a changed log may be the reason for the rebuild.
  const deps = { db, transact, feed: eventLog.feed, codec, log, onProgress: progressReporter() };
  const started = performance.now();
  const all =
    (await leadRebuilds(leadership, projections, NEVER, (held) =>
      rebuildTogether(deps, projections, held),
    )) ?? [];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const { view, events } of all)
    if (events !== undefined) console.log(`${view}: rebuilt from ${events} events in ${seconds} s`);
  return all.filter(({ error }) => error !== undefined);
};

const progressReporter = (): ((view: string, events: number) => void) => {
  const last = new Map<string, number>();
  const started = performance.now();
  return (view, events) => {
    if (performance.now() - (last.get(view) ?? started) < PROGRESS_INTERVAL_MS) return;
    last.set(view, performance.now());
    console.log(`${view}: ${events} events …`);
  };
};

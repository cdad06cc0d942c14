import type { Container } from 'inversify';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { leadRebuilds, type Rebuilt, rebuildTogether } from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion, liveVersion } from '../../adapters/postgres/projections/versions.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import { VIEWS } from '../../application/ports/read-gate.ts';
import { giveIdentity } from '../../application/event-sourcing/store-health/log-identity.ts';
import { ConfigError, type Config } from '../config.ts';
import { openContainer } from '../container.ts';
import { openFiles } from '../files-place.ts';
import { type Databases, openDatabasesBeside } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';

const TOLD_EVERY_MS = 1_000;
const NEVER = new AbortController().signal;

/**
 * Builds the named views (all without a name) afresh, beside what is live, and switches over. With all of them, the log
 * that they were made from is the known one from then on.
 */
export const rebuildViews = async (config: Config, names: readonly string[]): Promise<void> => {
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const projections = container.get(T.Projections);
    const unknown = names.filter((name) => !(VIEWS as readonly string[]).includes(name));
    if (unknown.length > 0)
      throw new ConfigError(`no view is named ${unknown.join(', ')}; there are ${VIEWS.join(', ')}`);
    await openFiles(container, config, databases);
    const wanted = projections.filter(({ view }) => names.length === 0 || names.includes(view));
    const failed = await rebuilt(container, databases, wanted);
    if (failed.length > 0)
      throw new Error(`not rebuilt, and as before: ${failed.map(reason).join('; ')}`, {
        cause: failed[0]?.error,
      });
    if (names.length === 0) await takeAsKnown(container);
  } finally {
    await container.unbindAllAsync();
  }
};

/** The log that all views were just made from. */
const takeAsKnown = async (container: Container): Promise<void> => {
  const { store, look } = container.get(T.EventLog);
  const { identity } = await look(BEGINNING);
  const known = identity ?? (await giveIdentity(store, container.get(T.IdSource)));
  await container.get(T.StoreWatches).known.replace(known);
};

const reason = ({ view, error }: Rebuilt): string => `${view} (${error?.message})`;

/** Rebuilds them together, and tells of each; answers those that failed. */
const rebuilt = async (
  container: Container,
  { views: { db, transact } }: Databases,
  projections: readonly Projection[],
): Promise<readonly Rebuilt[]> => {
  for (const projection of projections)
    if ((await liveVersion(db, projection.view)) === undefined) await createVersion(db, projection, true);
  // Past the watch: a log that has changed is what a rebuild may be for.
  const { feed } = container.get(T.EventLog);
  const deps = { db, transact, feed, codec: container.get(T.EventCodec), onProgress: teller() };
  const started = performance.now();
  const all =
    (await leadRebuilds(container.get(T.Leadership), projections, NEVER, (held) =>
      rebuildTogether(deps, projections, held),
    )) ?? [];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const { view, events } of all)
    if (events !== undefined) console.log(`${view}: rebuilt from ${events} events in ${seconds} s`);
  return all.filter(({ error }) => error !== undefined);
};

const teller = (): ((view: string, events: number) => void) => {
  const last = new Map<string, number>();
  const started = performance.now();
  return (view, events) => {
    if (performance.now() - (last.get(view) ?? started) < TOLD_EVERY_MS) return;
    last.set(view, performance.now());
    console.log(`${view}: ${events} events …`);
  };
};

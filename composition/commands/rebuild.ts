import { rebuild, rebuildLead } from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion, liveVersion } from '../../adapters/postgres/projections/versions.ts';
import { ConfigError, type Config } from '../config.ts';
import { openContainer } from '../container.ts';
import { openFiles } from '../files-place.ts';
import { openDatabasesBeside } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';

const TOLD_EVERY_MS = 1_000;
const NEVER = new AbortController().signal;

/** Builds the named views (all without a name) afresh, beside what is live, and switches over. */
export const rebuildViews = async (config: Config, names: readonly string[]): Promise<void> => {
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const projections = container.get(T.Projections);
    const known = projections.map(({ view }) => view);
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new ConfigError(`no view is named ${unknown.join(', ')}; there are ${known.join(', ')}`);
    await openFiles(container, config, databases);
    const { db } = databases.views;
    const leadership = container.get(T.Leadership);
    const deps = { db, feed: container.get(T.EventFeed), codec: container.get(T.EventCodec) };
    for (const projection of projections) {
      if (names.length > 0 && !names.includes(projection.view)) continue;
      if ((await liveVersion(db, projection.view)) === undefined) await createVersion(db, projection, true);
      const started = performance.now();
      const onProgress = teller(projection.view);
      const events = await leadership.lead(rebuildLead(projection), NEVER, (held) =>
        rebuild({ ...deps, onProgress }, projection, held),
      );
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${projection.view}: rebuilt from ${events} events in ${seconds} s`);
    }
  } finally {
    await container.unbindAllAsync();
  }
};

const teller = (view: string): ((events: number) => void) => {
  let last = performance.now();
  return (events) => {
    if (performance.now() - last < TOLD_EVERY_MS) return;
    last = performance.now();
    console.log(`${view}: ${events} events …`);
  };
};

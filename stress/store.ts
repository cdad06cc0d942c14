import { LOG_IDENTITY_STREAM } from '../application/event-sourcing/store-health/compare-log.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from '../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../adapters/postgres/connection.ts';
import type { Backing } from '../tests/support/backing.ts';
import type { Found } from './faults.ts';
import type { Log } from './log.ts';
import { urlOf } from '../tests/support/database-url.ts';

/** Where the service of a run keeps its events and its views. */
export interface Store {
  readonly name: StoreName;
  readonly backing: Backing;
  /** Whether the store itself holds what the API answered as the log, no more and no less. */
  readonly checkStreams: (log: Log, found: Found) => Promise<void>;
  readonly close: () => Promise<void>;
}
export const STORES = ['postgres', 'eventstoredb'] as const;
export type StoreName = (typeof STORES)[number];

/** Servers of its own, whose data lie in `folder`, which is thrown away: nothing of them need reach the disk. */
export const openStore = async (name: StoreName, folder: string): Promise<Store> => {
  const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 200'];
  const server = await startEmbeddedPostgres({ dataDir: folder, settings });
  const url = urlOf(server.connection);
  const backing: Backing = { env: { DATABASE_URL: url }, database: url, close: server.stop };
  if (name === 'postgres') return storeOn(name, backing);
  const events = await startStandIn();
  const env = { ...backing.env, EVENTSTORE_URL: events.url };
  const close = async (): Promise<void> => {
    await events.stop();
    await server.stop();
  };
  return storeOn(name, { ...backing, env, close });
};

/** A store of servers that run already. */
export const storeOn = (name: StoreName, backing: Backing): Store => ({
  name,
  backing,
  checkStreams: async ({ events }, found) => {
    // Elsewhere the log is read through the API alone.
    if (name !== 'postgres') return;
    const { pool, close } = createDatabase({ connectionString: backing.database ?? '', poolSize: 1 });
    try {
      const { rows } = await pool.query<{ event_id: string; stream: string; revision: number; type: string }>(
        // The identity of the log is of no tenant: nobody is shown it.
        'select event_id, stream, revision, type from es.events where stream <> $1 order by tx, pos',
        [LOG_IDENTITY_STREAM],
      );
      const stored = rows.map(
        ({ event_id: eventId, ...row }) => `${eventId} ${row.stream} ${row.revision} ${row.type}`,
      );
      const read = events.map(({ id, stream, revision, type }) => `${id} ${stream} ${revision} ${type}`);
      compare(stored, read, found);
    } finally {
      await close();
    }
  },
  close: backing.close,
});

const compare = (stored: readonly string[], read: readonly string[], found: Found): void => {
  const [all, told] = [new Set(stored), new Set(read)];
  for (const event of all.difference(told)) found.lost.push(`GET /events leaves out ${event}`);
  for (const event of told.difference(all))
    found.unexpected.push(`GET /events has what is not stored: ${event}`);
  if (stored.length > all.size) found.doubled.push('es.events holds an event twice');
  if (stored.join() !== read.join()) found.unexpected.push('GET /events has another order than es.events');
};

const STAND_IN = new URL('../tests/support/eventstoredb/serve.ts', import.meta.url).pathname;

/** The stand-in of EventStoreDB as a process; it ends with this one. */
const startStandIn = async (): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const child: ChildProcess = spawn(process.execPath, [STAND_IN, '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [url] = (await Promise.race([
    once(createInterface(child.stdout!), 'line'),
    ended.then(() => Promise.reject(new Error('the stand-in of EventStoreDB did not start'))),
  ])) as [string];
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

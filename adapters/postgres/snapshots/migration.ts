import type { Migration } from '../migrations/runner.ts';

/** Folded states, of versions up to the first release. */
export const snapshotMigrations: readonly Migration[] = [
  {
    id: 'snapshot-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS work');
      // Text, not jsonb: it is only ever read as a whole, and a name may hold a NUL, which jsonb refuses.
      await execute(`
        CREATE TABLE work.snapshot (
          stream text COLLATE "C" NOT NULL,
          shape text COLLATE "C" NOT NULL,
          version integer NOT NULL,
          revision bigint NOT NULL,
          event_id text NOT NULL,
          tenant text NOT NULL,
          state text NOT NULL,
          PRIMARY KEY (stream, shape)
        )`);
    },
  },
  {
    // States are folded from their streams: what snapshots saved was the first write of a process to a very long one.
    id: 'snapshot-0002',
    up: (execute) => execute('DROP TABLE work.snapshot'),
  },
];

import type { Migration } from '../migrations/runner.ts';

/**
 * One row per version of a view: which is live, how far it has read, and why it stands still if it does. The position
 * moves by compare-and-set in the transaction that writes the rows.
 */
export const projectionMigrations: readonly Migration[] = [
  {
    id: 'projection-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS read');
      await execute(`
        CREATE TABLE projection_version (
          view text NOT NULL,
          version integer NOT NULL,
          shape integer NOT NULL,
          live boolean NOT NULL,
          position text COLLATE "C" NOT NULL,
          moved_at timestamptz NOT NULL DEFAULT now(),
          halted_at_position text,
          halted_because text,
          PRIMARY KEY (view, version)
        )`);
      await execute('CREATE UNIQUE INDEX projection_live ON projection_version (view) WHERE live');
    },
  },
];

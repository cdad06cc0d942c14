import type { Migration } from '../migrations/runner.ts';

export const unitLedgerMigration: Migration = {
  id: 'work-unit-ledger',
  up: async (execute) => {
    // `generation` is the newest that has looked at the unit; `fingerprint` tells the version that was read last.
    await execute(`
      CREATE TABLE work.unit (
        data_source_id uuid NOT NULL,
        locator text COLLATE "C" NOT NULL,
        generation integer NOT NULL,
        outcome text NOT NULL,
        source_id uuid,
        fingerprint text,
        code text,
        message text,
        bytes bigint NOT NULL DEFAULT 0,
        visited_at bigint NOT NULL,
        attempt integer NOT NULL,
        PRIMARY KEY (data_source_id, locator)
      )`);
    await execute('CREATE INDEX unit_outcome ON work.unit (data_source_id, generation, outcome, locator)');
    await execute('CREATE INDEX unit_source ON work.unit (source_id)');
    await execute(`
      CREATE TABLE work.unit_listing (
        data_source_id uuid PRIMARY KEY,
        generation integer NOT NULL,
        cursor text,
        complete boolean NOT NULL
      )`);
  },
};

import type { Migration } from '../migrations/runner.ts';

export const unitHeardMigration: Migration = {
  id: 'work-unit-heard',
  up: async (execute) => {
    // When whoever does the job outside of this service was last heard of, in Unix milliseconds.
    await execute('ALTER TABLE work.unit_listing ADD COLUMN heard_at bigint');
  },
};

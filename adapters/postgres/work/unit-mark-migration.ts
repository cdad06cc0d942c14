import type { Migration } from '../migrations/runner.ts';

export const unitMarkMigration: Migration = {
  id: 'work-unit-mark',
  up: async (execute) => {
    // What a complete listing leaves for the next job, and the generation of that listing.
    await execute('ALTER TABLE work.unit_listing ADD COLUMN mark text, ADD COLUMN mark_generation integer');
  },
};

import type { Migration } from '../migrations/runner.ts';

/** What is known of secrets beside their events: when they were used, and whose turn it is to renew one. */
export const secretWorkMigration: Migration = {
  id: 'work-secret-0001',
  up: async (execute) => {
    await execute('CREATE TABLE work.secret_use (secret_id uuid PRIMARY KEY, used_at bigint NOT NULL)');
    await execute(`
      CREATE TABLE work.secret_renewal (
        secret_id uuid PRIMARY KEY,
        holder uuid NOT NULL,
        until timestamptz NOT NULL
      )`);
  },
};

import type { Migration } from '../migrations/runner.ts';

/**
 * Leases on any kind of work. Those that there are stay: their owners, tokens, ends, tries and pauses. Older programs go
 * on by the view `work.lease`, which has the former names, beside newer ones and after a rollback. They write kinds of
 * their own, so the tries of a deletion are counted from the beginning where programs take turns at it.
 */
export const anyKindOfWorkMigration: Migration = {
  id: 'work-any-kind',
  up: async (execute) => {
    await execute('ALTER TABLE work.lease RENAME TO work_lease');
    await execute('ALTER TABLE work.work_lease RENAME COLUMN data_source_id TO id');
    await execute('ALTER TABLE work.work_lease RENAME COLUMN purpose TO kind');
    await execute(`
      UPDATE work.work_lease SET kind = CASE kind
        WHEN 'run' THEN 'ingestion_job' WHEN 'purge' THEN 'ingestion_purge' ELSE 'ingestion_erasure' END`);
    await execute(`
      CREATE VIEW work.lease AS
        SELECT id AS data_source_id, tenant, owner, token, kind AS purpose, attempt, until, not_before, lasting, leaving
        FROM work.work_lease`);
  },
};

import type { Migration } from '../migrations/runner.ts';
import { anyKindOfWorkMigration } from './any-kind-migration.ts';
import { secretWorkMigration } from './secret-migration.ts';
import { unitLedgerMigration } from './unit-ledger-migration.ts';
import { unitHeardMigration } from './unit-heard-migration.ts';
import { unitMarkMigration } from './unit-mark-migration.ts';
import { uploadsMigration } from './upload-leases.ts';
import { apiKeyMarkMigration, rowMarkMigration, withheldMigration } from '../read-your-writes/migration.ts';

/** Tables of work under way. They are not read models: no rebuild touches them. */
export const workMigrations: readonly Migration[] = [
  {
    id: 'work-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS work');
      await execute(`
        CREATE TABLE work.lease (
          data_source_id uuid PRIMARY KEY,
          tenant text NOT NULL,
          owner text NOT NULL,
          token bigint NOT NULL,
          purpose text NOT NULL,
          attempt integer NOT NULL,
          until timestamptz NOT NULL
        )`);
      await execute('CREATE INDEX lease_tenant ON work.lease (tenant, until)');
      await execute(`
        CREATE TABLE work.crawl_page (
          data_source_id uuid NOT NULL,
          url text COLLATE "C" NOT NULL,
          generation integer NOT NULL,
          depth integer NOT NULL,
          no bigint GENERATED ALWAYS AS IDENTITY,
          outcome text,
          source_id uuid,
          code text,
          message text,
          bytes bigint NOT NULL DEFAULT 0,
          etag text,
          last_modified text,
          raw_sha256 text,
          links text[] NOT NULL DEFAULT '{}',
          visited_at bigint,
          attempt integer NOT NULL DEFAULT 0,
          PRIMARY KEY (data_source_id, url)
        )`);
      await execute(`
        CREATE INDEX crawl_page_owed ON work.crawl_page (data_source_id, generation, depth, no) WHERE outcome IS NULL`);
      await execute(`
        CREATE INDEX crawl_page_outcome ON work.crawl_page (data_source_id, generation, outcome, url)`);
      await execute(`
        CREATE TABLE work.schedule_tick (
          ingestion_setting_id uuid PRIMARY KEY,
          setting_revision bigint NOT NULL,
          next_due bigint
        )`);
    },
  },
  {
    id: 'work-0002',
    up: async (execute) => {
      // The generation that last came by the document itself: one that found a redirect at its URL did not.
      await execute('ALTER TABLE work.crawl_page ADD COLUMN source_generation integer');
      await execute('UPDATE work.crawl_page SET source_generation = generation WHERE source_id IS NOT NULL');
    },
  },
  {
    id: 'work-0003',
    up: async (execute) => {
      // At most one row: where the events are that the checkpoints and the work of this database speak of.
      await execute(`
        CREATE TABLE work.event_store (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          kind text NOT NULL
        )`);
      await execute(`
        INSERT INTO work.event_store (kind)
        SELECT 'postgres' WHERE EXISTS (SELECT FROM projection_version WHERE position <> '')`);
    },
  },
  withheldMigration,
  {
    id: 'work-0004',
    up: async (execute) => {
      // A pause before the next try, which is not held by anybody, and the tries that failed for what does not pass.
      await execute(`
        ALTER TABLE work.lease ADD COLUMN not_before timestamptz, ADD COLUMN lasting integer NOT NULL DEFAULT 0`);
    },
  },
  {
    id: 'work-files-mark',
    up: async (execute) => {
      // At most one row: the mark of the place where the files are that the events speak of.
      await execute(`
        CREATE TABLE work.files_mark (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          mark text NOT NULL
        )`);
    },
  },
  {
    id: 'work-answer-hold-0001',
    up: async (execute) => {
      await execute(`
        CREATE TABLE work.answer_hold (
          answer_id uuid PRIMARY KEY,
          until timestamptz NOT NULL
        )`);
    },
  },
  {
    id: 'work-leaving',
    up: async (execute) => {
      await execute('ALTER TABLE work.lease ADD COLUMN leaving boolean NOT NULL DEFAULT false');
    },
  },
  apiKeyMarkMigration,
  rowMarkMigration,
  {
    id: 'work-log-identity',
    up: async (execute) => {
      // Of the log that the checkpoints and the work of this database speak of; null until it was first met.
      await execute('ALTER TABLE work.event_store ADD COLUMN identity text');
    },
  },
  anyKindOfWorkMigration,
  unitLedgerMigration,
  secretWorkMigration,
  unitMarkMigration,
  uploadsMigration,
  unitHeardMigration,
];

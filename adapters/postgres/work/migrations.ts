import { crawlMigrations } from './crawl-sweep.ts';
import { webhookMigrations } from '../webhooks/migrations.ts';
import { unsweptFilesMigration } from './unswept-files.ts';
import { proofMigrations } from '../log-tree/migrations.ts';
import type { Migration } from '../migrate.ts';
import {
  apiKeyOverlayMigration,
  rowOverlayMigration,
  tombstoneMigration,
} from '../read-your-writes/overlays.ts';

/** Tables of work in progress. Not read models: rebuilds do not touch them. */
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
      // The generation that last read the document itself; one that found a redirect at its URL did not.
      await execute('ALTER TABLE work.crawl_page ADD COLUMN source_generation integer');
      await execute('UPDATE work.crawl_page SET source_generation = generation WHERE source_id IS NOT NULL');
    },
  },
  {
    id: 'work-0003',
    up: async (execute) => {
      // At most one row: the location of the events to which the checkpoints and the work of this database
      // refer.
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
  tombstoneMigration,
  {
    id: 'work-0004',
    up: async (execute) => {
      // A pause before the next attempt, in which no lease is held, and the number of permanent failures.
      await execute(`
        ALTER TABLE work.lease ADD COLUMN not_before timestamptz, ADD COLUMN lasting integer NOT NULL DEFAULT 0`);
    },
  },
  {
    id: 'work-files-mark',
    up: async (execute) => {
      // At most one row: the mark of the storage root with the files of the events.
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
    up: (execute) => execute('ALTER TABLE work.lease ADD COLUMN leaving boolean NOT NULL DEFAULT false'),
  },
  apiKeyOverlayMigration,
  rowOverlayMigration,
  {
    id: 'work-log-identity',
    // Identity of the log to which the checkpoints and the work of this database refer; null until it is first seen.
    up: (execute) => execute('ALTER TABLE work.event_store ADD COLUMN identity text'),
  },
  // Leases on any kind of work. Existing leases keep their owners, tokens, ends, attempts and pauses. Older
  // programs continue with the view `work.lease`, which has the former names, next to newer ones and after a
  // rollback. They write their own kinds, so the attempts of a deletion restart if old and new programs
  // alternate.
  {
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
  },
  {
    id: 'work-unit-ledger',
    up: async (execute) => {
      // `generation` is the newest job that visited the item; `fingerprint` identifies the version that was
      // last read.
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
  },
  // State of secrets that is not in events: when they were used, and who may renew one.
  {
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
  },
  {
    id: 'work-unit-mark',
    up: async (execute) => {
      // The sync token that a complete listing leaves for the next job, and the generation of that listing.
      await execute('ALTER TABLE work.unit_listing ADD COLUMN mark text, ADD COLUMN mark_generation integer');
    },
  },
  {
    id: 'work-upload-under-way',
    up: async (execute) => {
      await execute(`
        CREATE TABLE work.upload_under_way (
          id uuid PRIMARY KEY,
          tenant text NOT NULL,
          created_id uuid,
          until timestamptz NOT NULL
        )`);
    },
  },
  {
    id: 'work-unit-heard',
    // The last heartbeat of an external executor of the job, in Unix milliseconds.
    up: (execute) => execute('ALTER TABLE work.unit_listing ADD COLUMN heard_at bigint'),
  },
  {
    id: 'work-stream-prefix',
    // Begins the names of all streams of the log to which the database refers.
    up: (execute) => execute(`ALTER TABLE work.event_store ADD COLUMN prefix text NOT NULL DEFAULT ''`),
  },
  // Uses of API keys too. Secrets keep theirs, and older programs continue with the view, which has the former names.
  {
    id: 'work-last-use',
    up: async (execute) => {
      await execute('ALTER TABLE work.secret_use RENAME TO last_use');
      await execute('ALTER TABLE work.last_use RENAME COLUMN secret_id TO id');
      await execute('CREATE VIEW work.secret_use AS SELECT id AS secret_id, used_at FROM work.last_use');
    },
  },
  unsweptFilesMigration,
  ...crawlMigrations,
  ...proofMigrations,
  ...webhookMigrations,
];

/** Snapshots of folded states, in versions up to the first release. */
export const snapshotMigrations: readonly Migration[] = [
  {
    id: 'snapshot-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS work');
      // Text, not jsonb: it is only read as a whole, and a name may contain a NUL, which jsonb rejects.
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
    // States are folded from their streams: snapshots only accelerated the first write of a process to a very
    // long stream.
    id: 'snapshot-0002',
    up: (execute) => execute('DROP TABLE work.snapshot'),
  },
];

import type { Migration } from '../migrations/runner.ts';

/** Tables of the vault. They hold what no event does: nothing can make them again. */
export const vaultMigrations: readonly Migration[] = [
  {
    id: 'vault-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS vault');
      // At most one row: the master key that data keys are wrapped by. Its id alone; the key is never here.
      await execute(`
        CREATE TABLE vault.master_key (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          id text NOT NULL
        )`);
      // A destroyed key leaves a dead row: with these settings it is vacuumed at the next turn of autovacuum.
      await execute(`
        CREATE TABLE vault.key (
          owner text COLLATE "C" PRIMARY KEY,
          tenant text NOT NULL,
          wrapped bytea NOT NULL,
          master_key_id text NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now()
        ) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)`);
      await execute('CREATE INDEX key_created ON vault.key (created_at)');
      await execute(`
        CREATE TABLE vault.body (
          owner text COLLATE "C" NOT NULL REFERENCES vault.key ON DELETE CASCADE,
          id text COLLATE "C" NOT NULL,
          ciphertext bytea NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (owner, id)
        )`);
      // What is encrypted cannot be compressed.
      await execute('ALTER TABLE vault.body ALTER COLUMN ciphertext SET STORAGE EXTERNAL');
      await execute('CREATE INDEX body_created ON vault.body (created_at)');
    },
  },
  {
    id: 'vault-0002',
    up: async (execute) => {
      // Ids of master keys that nothing is wrapped by any more. A process that still has one must not use it.
      await execute(`
        CREATE TABLE vault.retired_master_key (
          id text PRIMARY KEY,
          retired_at timestamptz NOT NULL DEFAULT now()
        )`);
      await execute('CREATE INDEX key_master ON vault.key (master_key_id, owner)');
    },
  },
];

import type { Migration } from '../migrate.ts';

/**
 * Vectors of texts, and their contents. Not a read model: rebuilds do not touch them, because each vector
 * cost a request to a provider. `code` and `scale`: see `quantise`; null for a text that the model rejects.
 *
 * A content is identified by its id and its label, which rebuilds and syncs preserve, and not by its number
 * in one version of the catalog.
 */
export const vectorMigrations: readonly Migration[] = [
  {
    id: 'vectors-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA IF NOT EXISTS vectors');
      await execute(`
        CREATE TABLE vectors.model (
          no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          name text NOT NULL UNIQUE,
          dimensions integer,
          wanted_at timestamptz NOT NULL
        )`);
      await execute(`
        CREATE TABLE vectors.embedding (
          no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          tenant text COLLATE "C" NOT NULL,
          model_no integer NOT NULL REFERENCES vectors.model,
          sha256 bytea NOT NULL,
          code bytea,
          scale real,
          UNIQUE (tenant, model_no, sha256)
        )`);
      // Numbers do not compress.
      await execute('ALTER TABLE vectors.embedding ALTER COLUMN code SET STORAGE EXTERNAL');
      await execute(`
        CREATE TABLE vectors.content (
          tenant text COLLATE "C" NOT NULL,
          model_no integer NOT NULL REFERENCES vectors.model,
          content_id uuid NOT NULL,
          label text COLLATE "C" NOT NULL,
          data_source_id uuid NOT NULL,
          embedding_no bigint NOT NULL REFERENCES vectors.embedding,
          missed_since timestamptz,
          PRIMARY KEY (tenant, model_no, content_id, label)
        )`);
      await execute('CREATE INDEX content_embedding ON vectors.content (embedding_no)');
      await execute('CREATE INDEX content_data_source ON vectors.content (data_source_id)');
    },
  },
  {
    // Graphs of pgvector, until `vectors-0004`.
    id: 'vectors-0002',
    up: async (execute) => {
      await execute(`
        CREATE TABLE vectors.graph (
          no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          tenant text COLLATE "C" NOT NULL,
          model_no integer NOT NULL REFERENCES vectors.model ON DELETE CASCADE,
          dimensions integer NOT NULL,
          upto bigint NOT NULL,
          UNIQUE (tenant, model_no)
        )`);
    },
  },
  {
    // Sources with vectors that an engine outside of the database does not have yet. The mark changes with each.
    id: 'vectors-0003',
    up: async (execute) => {
      await execute(`
        CREATE TABLE vectors.outside (
          source_id uuid PRIMARY KEY,
          mark bigint GENERATED ALWAYS AS IDENTITY
        )`);
    },
  },
  {
    // Of pgvector, which no search uses any more; the other table was made outside of the migrations.
    id: 'vectors-0004',
    up: async (execute) => {
      await execute('DROP TABLE IF EXISTS vectors.graph_vector');
      await execute('DROP TABLE vectors.graph');
    },
  },
];

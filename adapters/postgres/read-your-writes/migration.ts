import type { Migration } from '../migrations/runner.ts';

/** No read models: no rebuild touches them. Rows go when the catalog knows what they say, and the bytes are deleted. */
export const withheldMigration: Migration = {
  id: 'withheld-0001',
  up: async (execute) => {
    await execute(`
      CREATE TABLE work.withheld_data_source (
        data_source_id uuid PRIMARY KEY,
        tenant text COLLATE "C" NOT NULL
      )`);
    await execute(`
      CREATE TABLE work.withheld_source (
        source_id uuid PRIMARY KEY,
        data_source_id uuid NOT NULL,
        tenant text COLLATE "C" NOT NULL,
        revision bigint NOT NULL,
        generation integer NOT NULL,
        position text COLLATE "C" NOT NULL,
        files text[] NOT NULL
      )`);
    await execute('CREATE INDEX withheld_data_source_tenant ON work.withheld_data_source (tenant)');
    await execute('CREATE INDEX withheld_source_tenant ON work.withheld_source (tenant)');
    await execute(`
      CREATE INDEX crawl_page_source ON work.crawl_page (source_id) WHERE source_id IS NOT NULL`);
    await execute('CREATE INDEX withheld_source_group ON work.withheld_source (data_source_id)');
  },
};

/** What rows are, as long as their view does not know it; `doc` null: they are gone. */
export const rowMarkMigration: Migration = {
  id: 'row-mark-0001',
  up: async (execute) => {
    await execute(`
      CREATE TABLE work.row_mark (
        view text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        tenant text COLLATE "C" NOT NULL,
        doc jsonb,
        revision bigint NOT NULL,
        position text COLLATE "C" NOT NULL,
        PRIMARY KEY (view, id)
      )`);
    await execute('CREATE INDEX row_mark_tenant ON work.row_mark (tenant, view)');
  },
};

/** What keys open, as long as the view of keys does not know it; `doc` null: nothing. */
export const apiKeyMarkMigration: Migration = {
  id: 'api-key-mark-0001',
  up: async (execute) => {
    await execute(`
      CREATE TABLE work.api_key_mark (
        key_hash text COLLATE "C" PRIMARY KEY,
        doc jsonb,
        revision bigint NOT NULL,
        position text COLLATE "C" NOT NULL
      )`);
  },
};

import type { Position } from '../../../application/ports/event-store.ts';
import type {
  ApiKeyOverlay,
  OverlaidRow,
  OverlaidView,
  PendingErasure,
  RowOverlay,
  Tombstones,
} from '../../../application/ports/read-your-writes.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { Sql } from '../database-schema.ts';
import type { Migration } from '../migrate.ts';
import { PREPARED } from '../prepared-statements.ts';
import { noJobUnderWay } from './conditions.ts';
import { sql } from 'kysely';

/**
 * The table contains rows that their views do not contain yet. A row is deleted when its view has caught up:
 * the projector prunes, and so does the writer, in case the view was faster. Rows that another transaction is
 * writing are skipped, so that nothing waits: their writer prunes them.
 */
export const createRowOverlay = (db: Sql): RowOverlay => {
  const prune = async (view: OverlaidView): Promise<void> => {
    await sql`
      delete from work.row_mark where view = ${view} and id in (
        select m.id from work.row_mark m join projection_version v on v.view = m.view
        where m.view = ${view} and v.live and v.halted_at_position is null and v.position >= m.position
        for update of m skip locked) ${PREPARED}`.execute(db);
  };
  const overlay = async (
    view: OverlaidView,
    { id, tenant, revision }: OverlaidRow,
    doc: object | null,
    position: Position,
  ): Promise<void> => {
    await db
      .insertInto('work.rowMark')
      .values({ view, id, tenant, doc: doc && JSON.stringify(snakeKeys(doc)), revision, position })
      .onConflict((conflict) =>
        conflict
          .columns(['view', 'id'])
          .doUpdateSet((eb) => ({
            doc: eb.ref('excluded.doc'),
            revision: eb.ref('excluded.revision'),
            position: eb.ref('excluded.position'),
          }))
          .whereRef('work.rowMark.revision', '<', 'excluded.revision'),
      )
      .execute();
    await prune(view);
  };
  return {
    put: (view, row, position) => {
      const { revision: _, ...doc } = row;
      return overlay(view, row, doc, position);
    },
    remove: (view, row, position) => overlay(view, row, null, position),
    prune,
  };
};

/** Each write deletes the rows that the view of keys already contains. */
export const createApiKeyOverlay = (db: Sql): ApiKeyOverlay => {
  const overlay = async (keyHash: string, row: object | null, revision: bigint, position: Position) => {
    const doc = row === null ? null : JSON.stringify(snakeKeys(row));
    await sql`
      with known as (
        delete from work.api_key_mark where key_hash in (
          select m.key_hash from work.api_key_mark m join projection_version v on v.position >= m.position
          where v.view = 'api_key' and v.live and v.halted_at_position is null and m.key_hash <> ${keyHash}
          for update of m skip locked))
      insert into work.api_key_mark (key_hash, doc, revision, position)
      values (${keyHash}, ${doc}::jsonb, ${String(revision)}::bigint, ${position})
      on conflict (key_hash) do update
        set doc = excluded.doc, revision = excluded.revision, position = excluded.position`.execute(db);
  };
  return {
    open: ({ revision, ...row }, position) => overlay(row.keyHash, row, revision, position),
    close: (keyHash, position) => overlay(keyHash, null, 0n, position),
  };
};

/** Stored in the database of the views, so that every statement on a view reads the tombstones too. */
export const createTombstones = (db: Sql): Tombstones => ({
  putDataSource: async (tenant, dataSourceId) => {
    await db
      .insertInto('work.withheldDataSource')
      .values({ dataSourceId, tenant })
      .onConflict((conflict) => conflict.column('dataSourceId').doNothing())
      .execute();
  },

  removeDataSource: async (dataSourceId) => {
    await db.deleteFrom('work.withheldSource').where('dataSourceId', '=', dataSourceId).execute();
    await sql`delete from work.unswept_files where data_source_id = ${dataSourceId}`.execute(db);
    await db.deleteFrom('work.withheldDataSource').where('dataSourceId', '=', dataSourceId).execute();
  },

  putSource: async ({ sourceId, dataSourceId, tenant, revision, generation, position, files }) => {
    await db
      .insertInto('work.withheldSource')
      .values({ sourceId, dataSourceId, tenant, revision, generation, position, files })
      .onConflict((conflict) =>
        conflict
          .column('sourceId')
          .doUpdateSet((eb) => ({
            revision: eb.ref('excluded.revision'),
            generation: eb.ref('excluded.generation'),
            position: eb.ref('excluded.position'),
            files: sql<readonly string[]>`withheld_source.files || excluded.files`,
          }))
          .whereRef('work.withheldSource.revision', '<', 'excluded.revision'),
      )
      .execute();
  },

  removeSources: async (tombstones) => {
    const rows = tombstones.map(({ sourceId, revision }) => ({ sourceId, revision: String(revision) }));
    await sql`delete from work.withheld_source w
      using jsonb_to_recordset(${JSON.stringify(snakeKeys(rows))}::jsonb) as r(source_id uuid, revision bigint)
      where w.source_id = r.source_id and w.revision = r.revision`.execute(db);
  },

  pendingErasures: async (limit) => {
    const { rows } = await sql<PendingRow>`
      select w.data_source_id, w.tenant, jsonb_agg(jsonb_build_object(
        'source_id', w.source_id, 'revision', w.revision::text, 'generation', w.generation,
        'position', w.position, 'files', w.files)) as sources
      from work.withheld_source w join read.data_source d on d.id = w.data_source_id
      -- A job that was queued before the document was erased must still find the tombstone.
      where ${noJobUnderWay} and (d.doc->>'generation')::integer >= w.generation - 1
      group by w.data_source_id, w.tenant limit ${limit}`.execute(db);
    return rows.map(({ sources, ...of }) => ({
      ...of,
      sources: sources.map((source) => ({ ...source, revision: BigInt(source.revision) })),
    }));
  },
});

type SourceTombstone = PendingErasure['sources'][number];
type PendingRow = Omit<PendingErasure, 'sources'> & {
  readonly sources: readonly (Omit<SourceTombstone, 'revision'> & { readonly revision: string })[];
};

/**
 * Not read models: rebuilds do not touch them. Rows are deleted when the catalog contains the change and the
 * bytes are deleted.
 */
export const tombstoneMigration: Migration = {
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

/** Rows as they are while their view does not contain the change; a null `doc` means deleted. */
export const rowOverlayMigration: Migration = {
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

/** Permissions of keys while the view of keys does not contain the change; a null `doc` means none. */
export const apiKeyOverlayMigration: Migration = {
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

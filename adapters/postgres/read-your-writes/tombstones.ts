import { sql } from 'kysely';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { PendingErasure, Tombstones } from '../../../application/ports/read-your-writes.ts';
import type { Sql } from '../database-schema.ts';

/**
 * A job that was queued before the document was taken out is no later one: it must still find the mark. That of a push
 * writes nothing but under the lease that the eraser has, and may be under way for ever.
 */
const UNDER_WAY = ['queued', 'starting', 'started', 'canceling', 'deleting', 'managed', 'unknown'];

/** In the database of the views, whatever store the events are in: every process reads its marks in the same statement. */
export const createTombstones = (db: Sql): Tombstones => ({
  putDataSource: async (tenant, dataSourceId) => {
    await sql`insert into work.withheld_data_source (data_source_id, tenant) values (${dataSourceId}, ${tenant})
      on conflict (data_source_id) do nothing`.execute(db);
  },

  removeDataSource: async (dataSourceId) => {
    const ofIt = sql`where data_source_id = ${dataSourceId}`;
    await sql`delete from work.withheld_source ${ofIt}`.execute(db);
    await sql`delete from work.withheld_data_source ${ofIt}`.execute(db);
  },

  putSource: async ({ sourceId, dataSourceId, tenant, revision, generation, position, files }) => {
    await sql`insert into work.withheld_source as w (source_id, data_source_id, tenant, revision, generation, position, files)
      values (${sourceId}, ${dataSourceId}, ${tenant}, ${String(revision)}::bigint, ${generation}, ${position}, ${files}::text[])
      on conflict (source_id) do update
        set revision = excluded.revision, generation = excluded.generation, position = excluded.position,
          files = w.files || excluded.files
        where w.revision < excluded.revision`.execute(db);
  },

  removeSources: async (marks) => {
    const rows = marks.map(({ sourceId, revision }) => ({ sourceId, revision: String(revision) }));
    await sql`delete from work.withheld_source w
      using jsonb_to_recordset(${JSON.stringify(snakeKeys(rows))}::jsonb) as r(source_id uuid, revision bigint)
      where w.source_id = r.source_id and w.revision = r.revision`.execute(db);
  },

  pendingErasures: async (limit) => {
    const { rows } = await sql<Owed>`
      select w.data_source_id, w.tenant, jsonb_agg(jsonb_build_object(
        'source_id', w.source_id, 'revision', w.revision::text, 'generation', w.generation,
        'position', w.position, 'files', w.files)) as sources
      from work.withheld_source w join read.data_source d on d.id = w.data_source_id
      where (d.status not in (${sql.join(UNDER_WAY)}) or d.kind = 'push' and d.status in ('managed', 'unknown', 'canceling'))
        and (d.doc->>'generation')::integer >= w.generation - 1
      group by w.data_source_id, w.tenant limit ${limit}`.execute(db);
    return rows.map(({ sources, ...of }) => ({
      ...of,
      sources: sources.map((mark) => ({ ...mark, revision: BigInt(mark.revision) })),
    }));
  },
});

type Mark = PendingErasure['sources'][number];
type Owed = Omit<PendingErasure, 'sources'> & {
  readonly sources: readonly (Omit<Mark, 'revision'> & { readonly revision: string })[];
};

import { sql } from 'kysely';
import type { PurgeCatalog } from '../../../application/ports/catalog.ts';
import type { Sql } from '../database-schema.ts';

/** Looks at the rows themselves, not at counters: it answers for what is there. */
export const createPurgeCatalog = (db: Sql): PurgeCatalog => ({
  countOf: async (dataSourceId) => {
    const { rows } = await sql<{ sources: number; contents: number }>`
      select
        (select count(*) from read.source where data_source_id = ${dataSourceId} and status <> 'removed') as sources,
        (select count(*) from read.content where data_source_id = ${dataSourceId}) as contents`.execute(db);
    return rows[0] ?? { sources: 0, contents: 0 };
  },
  sourceIds: async (tenant, dataSourceId, limit) => {
    const { rows } = await sql<{ id: string }>`
      select id from read.source
      where data_source_id = ${dataSourceId} and tenant = ${tenant} and status <> 'removed'
      order by no limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  },
  filesOf: async (dataSourceId) => {
    const { rows } = await sql<{ raw: string; chunkSet: string }>`
      select indexed->>'raw_sha256' as raw, indexed->>'chunk_set_sha256' as chunk_set from read.source
      where data_source_id = ${dataSourceId} and status <> 'removed' and indexed is not null`.execute(db);
    return new Set(rows.flatMap(({ raw, chunkSet }) => [raw, chunkSet]));
  },
});

import { sql } from 'kysely';
import type { PurgeCatalog } from '../../../application/ports/purge-catalog.ts';
import type { Sql } from '../sql.ts';

/** Looks at the rows themselves, not at counters: it answers for what is there. */
export const createPurgeCatalog = (db: Sql): PurgeCatalog => ({
  countOf: async (data_source_id) => {
    const { rows } = await sql<{ sources: number; contents: number }>`
      select
        (select count(*) from read.source where data_source_id = ${data_source_id} and status <> 'removed') as sources,
        (select count(*) from read.content where data_source_id = ${data_source_id}) as contents`.execute(db);
    return rows[0] ?? { sources: 0, contents: 0 };
  },
  sourceIds: async (tenant, data_source_id, limit) => {
    const { rows } = await sql<{ id: string }>`
      select id from read.source
      where data_source_id = ${data_source_id} and tenant = ${tenant} and status <> 'removed'
      order by no limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  },
  filesOf: async (data_source_id) => {
    const { rows } = await sql<{ raw: string; chunk_set: string }>`
      select indexed->>'raw_sha256' as raw, indexed->>'chunk_set_sha256' as chunk_set from read.source
      where data_source_id = ${data_source_id} and status <> 'removed' and indexed is not null`.execute(db);
    return new Set(rows.flatMap(({ raw, chunk_set }) => [raw, chunk_set]));
  },
});

import { sql } from 'kysely';
import type { EngineScope, ReadEngineScope } from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';
import { hiddenDataSources } from '../read-your-writes/conditions.ts';
import { groupsWithTags } from '../catalog/conditions.ts';

/** Reads the facts in one statement. */
export const createReadEngineScope =
  (db: Sql): ReadEngineScope =>
  async (tenant, tags) => {
    const { rows } = await sql<EngineScope & { readonly tagged: readonly string[] | null }>`
      select 'search_v' || v.version as index, v.position,
        ${hiddenDataSources(tenant)} as hidden_data_sources,
        array(select w.source_id from work.withheld_source w join read.source s on s.id = w.source_id
          where w.tenant = ${tenant} and s.revision < w.revision) as hidden_sources,
        ${tags === undefined ? sql`null` : groupsWithTags(tenant, tags)} as tagged
      from (select) one left join projection_version v on v.view = 'search' and v.live`.execute(db);
    const { tagged, ...scope } = rows[0]!;
    return { ...scope, ...(tagged !== null && { tagged }) };
  };

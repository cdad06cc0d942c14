import { sql } from 'kysely';
import type { SearchEngineIndexes } from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';
import { schemaOf } from '../projections/versions.ts';
import { searchableSources } from './searchable-sources.ts';

/** Sources that are written at once. */
const AT_ONCE = 200;

/**
 * Writes sources again whose contents have got vectors, into every index that exists: one that is being rebuilt may have
 * had them before. Returns their number; 0 once nothing is left. A failure leaves them marked.
 */
export const writeNewVectors = async (db: Sql, indexes: SearchEngineIndexes): Promise<number> => {
  const { rows } = await sql<{ sourceId: string; mark: number }>`
    select source_id, mark from vectors.outside order by mark limit ${AT_ONCE}`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ sourceId }) => sourceId);
  const sources = await searchableSources(db, ids);
  const versions = await db
    .selectFrom('projectionVersion')
    .select(['view', 'version'])
    .where('view', '=', 'search')
    .execute();
  for (const { view, version } of versions) await indexes.writer(schemaOf(view, version)).replace(sources);
  await sql`delete from vectors.outside o
    using unnest(${ids}::uuid[], ${rows.map(({ mark }) => mark)}::bigint[]) as w(source_id, mark)
    where o.source_id = w.source_id and o.mark = w.mark`.execute(db);
  return rows.length;
};

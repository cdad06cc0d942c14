import type { ItemRun, ListingState } from '../../../application/ports/item-store.ts';
import type { Sql } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import { sql } from 'kysely';

/** See `ItemStore.listing`. */
export const listing = async (db: Sql, { dataSourceId, generation }: ItemRun): Promise<ListingState> => {
  const row = await db
    .selectFrom('work.unitListing')
    .select(['generation', 'cursor', 'complete', 'mark'])
    .where('dataSourceId', '=', dataSourceId)
    .executeTakeFirst();
  if (row?.generation === generation)
    return { cursor: row.cursor, complete: row.complete, syncToken: row.mark };
  return { cursor: null, complete: false, syncToken: row?.mark ?? null };
};

/** Records the state of a listing, unless a newer generation has recorded its own. */
export const moveListing = async (
  trx: Sql,
  { dataSourceId, generation }: ItemRun,
  { cursor, complete, syncToken = null }: ListingState,
): Promise<void> => {
  await withCommit(trx)(sql`
    insert into work.unit_listing as l (data_source_id, generation, cursor, complete, mark, mark_generation)
    values (${dataSourceId}, ${generation}, ${cursor}, ${complete},
      case when ${complete} then ${syncToken} end, case when ${complete} then ${generation}::integer end)
    on conflict (data_source_id) do update
      set generation = excluded.generation, cursor = excluded.cursor, complete = excluded.complete,
        mark = case when excluded.complete then excluded.mark else l.mark end,
        mark_generation = coalesce(excluded.mark_generation, l.mark_generation)
      where l.generation <= excluded.generation`);
};

import type { Sql } from '../database-schema.ts';
import { createRecentlyUsed } from '../../../application/event-sourcing/recently-used.ts';
import { hiddenDataSources, sourceTombstones } from '../read-your-writes/conditions.ts';
import { countOf } from './pages.ts';
import { type RawBuilder, sql } from 'kysely';

/** Answers the count of a statement about the tenant's catalog and tags, in the snapshot of `trx`. */
export type CountRows = (
  trx: Sql,
  tenant: string,
  count: RawBuilder<{ readonly n: number | null }>,
) => Promise<number>;

/** Maximum size of remembered statements. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Counts what no counter covers, such as the rows that a policy allows. Reads each of them, so a count is
 * remembered for as long as nothing it depends on has changed: the views, which move with each of their
 * events, and what the tenant deleted since.
 */
export const createCountRows = (): CountRows => {
  const known = createRecentlyUsed<{ readonly n: number; readonly bytes: number }>(
    MAX_BYTES,
    ({ bytes }) => bytes,
  );
  return async (trx, tenant, count) => {
    const { rows } =
      await sql`select ${hiddenDataSources(tenant)} as hidden, ${sourceTombstones(tenant)} as erased,
      array(select concat_ws(' ', view, version, position) from projection_version
        where live and view in ('catalog', 'tag') order by view) as views`.execute(trx);
    const { sql: text, parameters } = count.compile(trx);
    const key = JSON.stringify([rows, text, parameters]);
    const n = known.get(key)?.n ?? (await countOf(trx, count));
    known.put(key, { n, bytes: 200 + 2 * key.length });
    return n;
  };
};

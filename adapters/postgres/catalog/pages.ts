import { type RawBuilder, sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { isUuid } from './conditions.ts';
import type { Sql } from '../database-schema.ts';

/** A page out of one row more than was asked for. */
export const pageOf = <Row>(found: readonly Row[], { limit }: PageRequest, total: number): Page<Row> => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
  total,
});

/**
 * Where the row of the cursor stands in the order of a list; null for the first page.
 *
 * @param place selects the columns of the order for the row whose id it is given, if the scope may know it
 * @throws DomainError invalid_cursor
 */
export const placeOf = async <Place>(
  db: Sql,
  after: string | undefined,
  place: (id: string) => RawBuilder<Place>,
): Promise<Place | null> => {
  if (after === undefined) return null;
  const { rows } = isUuid(after) ? await place(after).execute(db) : { rows: [] };
  if (rows[0] === undefined) throw unknownCursor(after);
  return rows[0];
};

export const countOf = async (db: Sql, count: RawBuilder<{ readonly n: number | null }>): Promise<number> => {
  const { rows } = await count.execute(db);
  return rows[0]?.n ?? 0;
};

/** For a SELECT list or a condition that may be left out. */
export const given = (condition: RawBuilder<boolean> | null | undefined): RawBuilder<boolean> =>
  condition ?? sql<boolean>`true`;

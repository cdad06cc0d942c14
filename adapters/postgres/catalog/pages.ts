import { type RawBuilder, sql } from 'kysely';
import { type Page, type PageRequest, unknownCursor } from '../../../application/ports/page.ts';
import { isUuid } from './conditions.ts';
import type { Sql } from '../database-schema.ts';

/** Builds a page from one more row than requested. */
export const pageOf = <Row>(found: readonly Row[], { limit }: PageRequest, total: number): Page<Row> => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
  total,
});

/**
 * Reads the sort columns of the cursor's row; null for the first page.
 *
 * @param select selects the sort columns of the row with this id, if the scope may see it
 * @throws DomainError invalid_cursor
 */
export const cursorRow = async <CursorRow>(
  db: Sql,
  after: string | undefined,
  select: (id: string) => RawBuilder<CursorRow>,
): Promise<CursorRow | null> => {
  if (after === undefined) return null;
  const { rows } = isUuid(after) ? await select(after).execute(db) : { rows: [] };
  if (rows[0] === undefined) throw unknownCursor(after);
  return rows[0];
};

export const countOf = async (db: Sql, count: RawBuilder<{ readonly n: number | null }>): Promise<number> => {
  const { rows } = await count.execute(db);
  return rows[0]?.n ?? 0;
};

/** A condition that may be absent. */
export const orTrue = (condition: RawBuilder<boolean> | null | undefined): RawBuilder<boolean> =>
  condition ?? sql<boolean>`true`;

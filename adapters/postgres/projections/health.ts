import { type Kysely, sql } from 'kysely';
import type { ProjectionDb } from './versions.ts';

export interface ViewHealth {
  readonly view: string;
  readonly version: number;
  readonly position: string;
  /** When its checkpoint moved last. */
  readonly moved_at: Date;
  /** Why it stands still; null while it moves. */
  readonly halted_because: string | null;
}

/** The live version of every view. */
export const viewHealth = (db: ProjectionDb): Promise<readonly ViewHealth[]> =>
  db
    .selectFrom('projection_version')
    .select(['view', 'version', 'position', 'moved_at', 'halted_because'])
    .where('live', '=', true)
    .orderBy('view')
    .execute();

/** How many data sources there are in each status. Removed ones are left out. */
export const dataSourcesByStatus = async (
  // oxlint-disable-next-line typescript/no-explicit-any -- the view is named in the statement
  db: Kysely<any>,
): Promise<readonly { readonly status: string; readonly count: number }[]> => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from read.data_source where status <> 'removed' group by status`.execute(
    db,
  );
  return rows;
};

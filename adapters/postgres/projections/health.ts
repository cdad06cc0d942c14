import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ProjectionDb } from './versions.ts';
import type { Sql } from '../database-schema.ts';

export interface ViewHealth {
  readonly view: string;
  readonly version: number;
  readonly position: string;
  /** When its checkpoint moved last. */
  readonly movedAt: Date;
  /** Why it stands still; null while it moves. */
  readonly haltedBecause: string | null;
}

const ANSWER_MS = 2_000;

/** The live version of every view. @throws also when the database does not answer within two seconds */
export const viewHealth = async (db: ProjectionDb): Promise<readonly ViewHealth[]> => {
  const answer = db
    .selectFrom('projectionVersion')
    .select(['view', 'version', 'position', 'movedAt', 'haltedBecause'])
    .where('live', '=', true)
    .orderBy('view')
    .execute();
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await delay(ANSWER_MS, undefined, { signal: over.signal });
    throw new Error(`no answer within ${ANSWER_MS} ms`);
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    over.abort();
  }
};

/** How many data sources there are in each status. Removed ones are left out. */
export const dataSourcesByStatus = async (
  db: Sql,
): Promise<readonly { readonly status: string; readonly count: number }[]> => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from read.data_source where status <> 'removed' group by status`.execute(
    db,
  );
  return rows;
};

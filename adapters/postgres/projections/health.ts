import type { ProjectionDb } from './versions.ts';

export interface ViewHealth {
  readonly view: string;
  readonly version: number;
  readonly position: string;
  /** Why it stands still; null while it moves. */
  readonly halted_because: string | null;
}

/** The live version of every view. */
export const viewHealth = (db: ProjectionDb): Promise<readonly ViewHealth[]> =>
  db
    .selectFrom('projection_version')
    .select(['view', 'version', 'position', 'halted_because'])
    .where('live', '=', true)
    .orderBy('view')
    .execute();

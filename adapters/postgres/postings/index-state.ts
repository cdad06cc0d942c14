import { type RawBuilder, sql } from 'kysely';
import type { Segment } from '../../../domain/ranking/postings.ts';
import { PREPARED } from '../prepared-statements.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';

/** One state of a tenant's index: a version of the catalog, as one statement saw it. */
export interface IndexState {
  readonly version: number;
  readonly tenantNo: number;
  readonly segments: readonly Segment[];
  /** Batches of counts by which those of the segments have to be lessened. */
  readonly deadBatches: readonly number[];
}

/** Something of a state is gone: a merge, a rebuild or a deletion came in between. */
export class OutdatedState extends Error {
  override readonly name = 'OutdatedState';
}

/**
 * Reads something of which hardly anything ever changes. Segments and batches never do: a statement finds all of those
 * that an earlier one named, or says `OutdatedState`. So no transaction has to hold them; should they be gone, all is read
 * once more, in one snapshot.
 */
export const readState = async <T>(db: Sql, read: (on: Sql) => Promise<T>): Promise<T> => {
  try {
    return await read(db);
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error;
    return readSnapshot(db, read);
  }
};

/** Ends a statement: its plan is kept outside of transactions, which a plan that is refused would end. */
export const keptPlan = (on: Sql): RawBuilder<unknown> => (on.isTransaction ? sql`` : PREPARED);

/** Whether numbers of contents and segments still mean what they meant. */
export const isLive = (version: number): RawBuilder<boolean> =>
  sql<boolean>`(select version from projection_version where view = 'catalog' and live) = ${version}`;

/** Under which what is known of a segment is kept. */
export const keyOf = ({ version, tenantNo }: IndexState, { segment }: Pick<Segment, 'segment'>): string =>
  `${version} ${tenantNo} ${segment}`;

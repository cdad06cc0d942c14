import type { EventFeed } from '../../../application/ports/event-store.ts';
import type { Sql } from '../database-schema.ts';
import { isAheadOfLog, recordHalt } from './versions.ts';
import { setTimeout as delay } from 'node:timers/promises';

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
export const viewHealth = async (db: Sql): Promise<readonly ViewHealth[]> => {
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
  return db
    .selectFrom('read.dataSource')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('status', '<>', 'removed')
    .groupBy('status')
    .execute();
};

/**
 * A view that has read further than the log goes: the log was restored from an older backup than the view, or it is
 * another log. Left alone, the view would wait until the log has grown past its checkpoint and never read what was
 * written meanwhile. So it is halted, and stays so until a rebuild has replaced it.
 */
export const AHEAD_OF_LOG =
  'the view is ahead of the event log, which was restored from an older backup or is another one: rebuild it';

const SECOND_LOOK_MS = 3_000;

/**
 * Halts every live view that is ahead of the log, or the one that is named; answers those it found so, and those that
 * were. To be called before this process appends anything, because the log may then grow past the checkpoint.
 */
export const haltViewsAhead = async (
  db: Sql,
  feed: Pick<EventFeed, 'head'>,
  only?: string,
): Promise<readonly string[]> => {
  const live = await db
    .selectFrom('projectionVersion')
    .select(['view', 'version', 'shape', 'live', 'position', 'haltedAtPosition'])
    .where('live', '=', true)
    .where((where) => (only === undefined ? where.val(true) : where('view', '=', only)))
    .orderBy('view')
    .execute();
  // After the checkpoints: one that moves on meanwhile moves to a place that this end has reached or passed.
  let end = await feed.head();
  if (live.some((version) => !isAheadOfLog(version) && version.position > end)) {
    // A leader that has just been elected may know less than its predecessor said, for a moment.
    await delay(SECOND_LOOK_MS);
    end = await feed.head();
  }
  const ahead = live.filter((version) => isAheadOfLog(version) || version.position > end);
  for (const version of ahead) {
    if (!isAheadOfLog(version)) await recordHalt(db, version, end, AHEAD_OF_LOG);
  }
  return ahead.map(({ view }) => view);
};

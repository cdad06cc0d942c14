import type { EventFeed } from '../../../application/ports/event-store.ts';
import type { StreamStatus } from '../../../domain/data-source/index.ts';
import type { Sql } from '../database-schema.ts';
import { isAheadOfLog, recordHalt } from './versions.ts';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';

export interface ViewHealth {
  readonly view: string;
  readonly version: number;
  /** False for a version that is being built beside the live one. */
  readonly live: boolean;
  readonly position: string;
  /** When its checkpoint last moved. */
  readonly movedAt: Date;
  /** Why the view is halted; null while it moves. */
  readonly haltedBecause: string | null;
  /** Number of streams that it passes over, and the first of their names. */
  readonly passed: number;
  readonly passedNames: readonly string[];
}

/** Names in a report. */
const MAX_NAMES = 3;

const RESPONSE_MS = 2_000;

/**
 * The live version of every view; `building`: also those that are being built.
 *
 * @throws also when the database does not respond within two seconds
 */
export const viewHealth = async (db: Sql, { building = false } = {}): Promise<readonly ViewHealth[]> => {
  const query = db
    .selectFrom('projectionVersion as v')
    .leftJoin('projectionPassedStream as p', (join) =>
      join.onRef('p.view', '=', 'v.view').onRef('p.version', '=', 'v.version'),
    )
    .select(['v.view', 'v.version', 'v.live', 'v.position', 'v.movedAt', 'v.haltedBecause'])
    .select(({ fn }) => fn.count<number>('p.stream').as('passed'))
    .select(
      sql<readonly string[]>`(coalesce(array_agg(p.example order by p.example)
        filter (where p.example is not null), '{}'))[1:${sql.lit(MAX_NAMES)}]`.as('passedNames'),
    )
    .where((where) =>
      building
        ? sql<boolean>`v.version >= (select l.version from projection_version l where l.view = v.view and l.live)`
        : where('v.live', '=', true),
    )
    .groupBy(['v.view', 'v.version'])
    .orderBy('v.view')
    .orderBy('v.version')
    .execute();
  const timeout = new AbortController();
  const late = async (): Promise<never> => {
    await delay(RESPONSE_MS, undefined, { signal: timeout.signal });
    throw new Error(`no response within ${RESPONSE_MS} ms`);
  };
  try {
    return await Promise.race([query, late()]);
  } finally {
    timeout.abort();
  }
};

/** The age of the oldest event that the live version of a view has not read, in seconds; 0 if it has read all. */
export const viewLags = async (
  db: Sql,
  feed: Pick<EventFeed, 'read'>,
  now: number,
): Promise<readonly { readonly view: string; readonly seconds: number }[]> => {
  const views = await viewHealth(db);
  // Views that keep up are at one position.
  const positions = [...new Set(views.map(({ position }) => position))];
  const pages = await Promise.all(positions.map((position) => feed.read(position, {}, 1)));
  const next = new Map(positions.map((position, nth) => [position, pages[nth]!.events[0]]));
  return views.map(({ view, position }) => ({
    view,
    seconds: Math.max(0, (now - (next.get(position)?.recordedAt ?? now)) / 1000),
  }));
};

/**
 * Number of data sources per status, without removed ones, and since when the first of them has it (Unix milliseconds):
 * of one tenant, or of all.
 */
export const dataSourcesByStatus = (
  db: Sql,
  tenant?: string,
): Promise<readonly { readonly status: StreamStatus; readonly count: number; readonly since: number }[]> =>
  db
    .selectFrom('read.dataSource')
    .select(({ fn }) => [
      'status',
      fn.countAll<number>().as('count'),
      fn.min<number>('statusSince').as('since'),
    ])
    .where('status', '<>', 'removed')
    .where((where) => (tenant === undefined ? where.val(true) : where('tenant', '=', tenant)))
    .groupBy('status')
    .orderBy('status')
    .execute();

/** Size of the database on its disk, in bytes. Looks at every file of it. */
export const databaseBytes = async (db: Sql): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes`.execute(db);
  return rows[0]!.bytes;
};

/**
 * Reason of the halt of a view that has read further than the log goes: the log was restored from an older
 * backup than the view, or it is another log. Without the halt, the view would wait until the log has grown
 * past its checkpoint and never read the events before it. A rebuild replaces the halted view.
 */
export const AHEAD_OF_LOG =
  'the view is ahead of the event log, which was restored from an older backup or is another one: rebuild it';

const RECHECK_MS = 3_000;

/**
 * Halts every live view that is ahead of the log, or only the named one. Returns the views that are ahead,
 * including those that were halted before. Must be called before this process appends, because the log may
 * then grow past the checkpoint.
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
  // Read after the checkpoints: a checkpoint that moves meanwhile moves to a position that this end has
  // reached or passed.
  let end = await feed.head();
  if (live.some((version) => !isAheadOfLog(version) && version.position > end)) {
    // A newly elected leader may briefly know less than its predecessor reported.
    await delay(RECHECK_MS);
    end = await feed.head();
  }
  const ahead = live.filter((version) => isAheadOfLog(version) || version.position > end);
  for (const version of ahead) {
    if (!isAheadOfLog(version)) await recordHalt(db, version, end, AHEAD_OF_LOG);
  }
  return ahead.map(({ view }) => view);
};

import type pg from 'pg';
import { BEGINNING, type EventFeed, type EventFilter } from '../../application/ports/event-store.ts';
import { type Followed, type LogEnd, follow } from '../event-feed/follow.ts';
import { unreachable } from './events/append.ts';
import { type WakeUp, createLogTail } from './events/wake-up.ts';
import { existsAtOrAfter, readPage, readPageBack, searchable, searchableBack } from './events/pages.ts';
import { fromPosition } from './events/read-streams.ts';
import { isTransient } from './connection.ts';

export interface PostgresEventFeed extends EventFeed {
  /**
   * Milliseconds for which the oldest committed event has been hidden, because an append that started before
   * it has not ended; 0 if none is hidden. Grows only while an append hangs.
   */
  readonly oldestHiddenAgeMs: () => Promise<number>;
}

const PAUSES = { pauseMs: 100, maxPauseMs: 5_000 };

/**
 * Needs `eventStoreMigrations`. Followers of one feed share its watch on the log, so make one per process.
 */
export const createPostgresEventFeed = (deps: {
  readonly pool: pg.Pool;
  readonly wakeUp: Pick<WakeUp, 'subscribe'>;
}): PostgresEventFeed => {
  const { pool } = deps;
  const tail = createLogTail(pool, deps.wakeUp);

  return {
    head: async () => {
      try {
        return (await tail.refresh()).position;
      } catch (error) {
        throw isTransient(error) ? unreachable(error) : error;
      }
    },
    read: async (after, filter, limit) => {
      fromPosition(after);
      const { position: head } = await tail.refresh();
      if (after >= head) return { events: [], position: after, more: false };
      const part = await searchable(pool, { after, upTo: head }, filter);
      const events = await readPage(pool, part, filter, limit);
      const position = events.length === limit ? (events.at(-1)?.position ?? after) : part.upTo;
      return { events, position, more: position < head };
    },
    readBack: async (before, filter, limit) => {
      fromPosition(before);
      const { position: head } = await tail.refresh();
      const upTo = before === BEGINNING || before > head ? head : before;
      if (upTo === BEGINNING) return { events: [], position: BEGINNING, more: false };
      const cursor = { upTo, inclusive: upTo !== before };
      const from = await searchableBack(pool, cursor, filter);
      const events = await readPageBack(pool, { ...cursor, from }, filter, limit);
      const position = events.length === limit ? (events.at(-1)?.position ?? before) : from;
      return { events, position, more: position > BEGINNING };
    },
    holds: async (position) => {
      fromPosition(position);
      return position <= (await tail.refresh()).position || existsAtOrAfter(pool, position);
    },
    follow: async function* followFrom(after, filter, { signal, batchSize = 500 }) {
      // Checked here, not by a query, because a query is retried.
      fromPosition(after);
      const readNextPage = pagesOf(pool, filter, batchSize);
      const followed = {
        tail,
        readPage: readNextPage,
        refreshesEndAfterFailure: false,
        mayRetry: isTransient,
        pauses: PAUSES,
      };
      yield* follow(followed, after, signal);
    },
    oldestHiddenAgeMs: async () => {
      const { rows } = await pool.query<{ age: string | number }>('SELECT es.oldest_hidden_ms() AS age');
      return Number(rows[0]?.age ?? 0);
    },
  };
};

/**
 * Reads the log in parts that one statement can search in bounded time. A reader that was at the end a moment
 * ago has little to search and reads it in one go.
 */
const pagesOf = (pool: pg.Pool, filter: EventFilter, limit: number): Followed<LogEnd>['readPage'] => {
  /** End of the part that is being read. */
  let part = BEGINNING;
  return async (after, end, woken) => {
    const range = { after, upTo: after < part ? part : end.position };
    const { upTo } = woken || after < part ? range : await searchable(pool, range, filter);
    const events = await readPage(pool, { after, upTo }, filter, limit);
    part = upTo;
    const isFull = events.length === limit;
    return { events, position: isFull ? (events.at(-1)?.position ?? after) : upTo };
  };
};

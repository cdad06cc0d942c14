import {
  type EventFeed,
  EventStoreUnavailable,
  type Position,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import { follow } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, withRetries } from './deadlines.ts';
import { failureOf, isTransient } from './errors.ts';
import type { LogTail } from './log-tail.ts';
import { createLogReader, type LogEnd, type Page, readBackwards } from './read.ts';
import { fromPosition } from './records.ts';

export interface EventStoreDbFeed extends EventFeed {
  /**
   * Always 0, because this store never hides an acknowledged event. Exists for the metric that other stores
   * fill.
   */
  readonly oldestHiddenAgeMs: () => Promise<number>;
}

export interface FeedDeps {
  readonly connection: Connection;
  readonly tail: LogTail;
  readonly deadlines: Deadlines;
}

/**
 * Reads the log in pages up to an end that was asked for before. The server filters as far as it can. That
 * end decides when a follower has caught up; the server's own message (since 23.10) has no position.
 */
export const createEventStoreDbFeed = ({ connection, tail, deadlines }: FeedDeps): EventStoreDbFeed => {
  const fetchEnd = (): Promise<LogEnd> => withRetries(deadlines, () => tail.refresh());
  return {
    head: async () => (await fetchEnd()).position,
    read: async (after, filter, limit) => {
      fromPosition(after);
      return withRetries(deadlines, async () => {
        const end = await tail.refresh();
        const reader = createLogReader(connection, deadlines);
        try {
          const page = await reader.read({ after, end, filter, limit });
          return { ...page, more: page.position < end.position };
        } finally {
          await reader.close();
        }
      });
    },
    readBack: async (before, filter, limit) => {
      fromPosition(before);
      return withRetries(deadlines, async () => {
        const end = await tail.refresh();
        return readBackwards(connection, deadlines, { before, end, filter, limit });
      });
    },
    holds: async (position) => {
      fromPosition(position);
      return position <= (await fetchEnd()).position;
    },
    follow: async function* followFrom(after, filter, { signal, batchSize: limit = 500 }) {
      // Checked here, not by a read, because a read is retried.
      fromPosition(after);
      const reader = createLogReader(connection, deadlines);
      const readPage = async (from: Position, end: LogEnd): Promise<Page> => {
        const query = { after: from, end, filter, limit, signal };
        return tail.page(query) ?? reader.read(query);
      };
      // Another node may have become the leader, which may not show as much yet.
      const followed = { tail, readPage, refreshesEndAfterFailure: true, mayRetry, pauses: deadlines };
      try {
        yield* follow(followed, after, signal);
      } catch (error) {
        // The follower of a deleted stream ends normally: no more events can come.
        if (!(error instanceof StreamDeleted)) throw error;
      } finally {
        await reader.close();
      }
    },
    oldestHiddenAgeMs: () => Promise.resolve(0),
  };
};

/**
 * An operator may restore a user's permission: followers wait for that too, and the readiness probe reports
 * it.
 */
const mayRetry = (error: unknown): boolean => {
  if (error instanceof EventStoreUnavailable) return true;
  const failure = failureOf(error);
  return failure.kind === 'refused' || isTransient(failure);
};

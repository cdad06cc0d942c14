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
  /** No acknowledged event is ever hidden here: always 0. For the measure of the same name elsewhere. */
  readonly oldestHiddenAgeMs: () => Promise<number>;
}

export interface FeedDeps {
  readonly connection: Connection;
  readonly tail: LogTail;
  readonly deadlines: Deadlines;
}

/**
 * Reads the log in pages up to an end that was asked for before, filtered by the server as far as it can. That end tells
 * when a follower has caught up, not the server's own message, which came with 23.10 and names no position.
 */
export const createEventStoreDbFeed = ({ connection, tail, deadlines }: FeedDeps): EventStoreDbFeed => {
  const askForEnd = (): Promise<LogEnd> => withRetries(deadlines, () => tail.refresh());
  return {
    head: async () => (await askForEnd()).position,
    read: async (after, filter, limit) => {
      fromPosition(after);
      return withRetries(deadlines, async () => {
        const end = await tail.refresh();
        const reader = createLogReader(connection, deadlines);
        try {
          return await reader.read({ after, end, filter, limit });
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
      return position <= (await askForEnd()).position;
    },
    follow: async function* followFrom(after, filter, { signal, batchSize: limit = 500 }) {
      // Refused here and not by a read, which may be repeated.
      fromPosition(after);
      const reader = createLogReader(connection, deadlines);
      const readPage = async (from: Position, end: LogEnd): Promise<Page> => {
        const query = { after: from, end, filter, limit, signal };
        return tail.page(query) ?? reader.read(query);
      };
      // Another node may be the leader by then, which may not show as much yet.
      const followed = { tail, readPage, forgetsEnd: true, mayRetry, pauses: deadlines };
      try {
        yield* follow(followed, after, signal);
      } catch (error) {
        // The follower of a deleted stream ends normally: no event can come any more.
        if (!(error instanceof StreamDeleted)) throw error;
      } finally {
        await reader.close();
      }
    },
    oldestHiddenAgeMs: () => Promise.resolve(0),
  };
};

/** A refused user may be allowed again by an operator: followers wait for that too, and the readiness probe reports it. */
const mayRetry = (error: unknown): boolean => {
  if (error instanceof EventStoreUnavailable) return true;
  const failure = failureOf(error);
  return failure.kind === 'refused' || isTransient(failure);
};

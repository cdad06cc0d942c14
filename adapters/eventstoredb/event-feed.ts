import { EventStoreUnavailable, StreamDeleted } from '../../application/ports/event-store.ts';
import type { EventFeed, Position } from '../../application/ports/event-store.ts';
import { follow } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import { failureOf, isTransient } from './failures.ts';
import type { LogEnd } from './log-end.ts';
import type { LogTail } from './log-tail.ts';
import { createPages, type Page } from './pages.ts';
import { readPageBack } from './pages-back.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { fromPosition } from './positions.ts';

export interface EventStoreDbFeed extends EventFeed {
  /** Nothing that was acknowledged is ever hidden here: always 0. For the measure of the same name elsewhere. */
  readonly oldestHiddenAgeMs: () => Promise<number>;
}

export interface FeedDeps {
  readonly connection: Connection;
  readonly tail: LogTail;
  readonly patience: Patience;
}

/**
 * Reads the log in pages up to an end that was asked for before, filtered by the server as far as it can. What is
 * caught up is told by that end and not by the server's own message, which came with 23.10 and says no position.
 */
export const createEventStoreDbFeed = (deps: FeedDeps): EventStoreDbFeed => {
  const { connection, tail, patience } = deps;
  return {
    head: async () => (await patiently(patience, () => tail.refresh())).position,
    read: async (after, filter, limit) => {
      fromPosition(after);
      return patiently(patience, async () => {
        const end = await tail.refresh();
        const pages = createPages(connection, patience);
        try {
          return await pages.read({ after, end, filter, limit });
        } finally {
          await pages.close();
        }
      });
    },
    readBack: async (before, filter, limit) => {
      fromPosition(before);
      return patiently(patience, async () => {
        const end = await tail.refresh();
        return readPageBack(connection, patience, { after: before, end, filter, limit });
      });
    },
    holds: async (position) => {
      fromPosition(position);
      return position <= (await patiently(patience, () => tail.refresh())).position;
    },
    follow: async function* followFrom(after, filter, { signal, batchSize: limit = 500 }) {
      // Refused here and not by a read, which may be tried again.
      fromPosition(after);
      const pages = createPages(connection, patience);
      const readPage = async (from: Position, end: LogEnd): Promise<Page> => {
        const wanted = { after: from, end, filter, limit, signal };
        return tail.page(wanted) ?? pages.read(wanted);
      };
      // Another node may be the leader by then, which may not show as much yet.
      const followed = { tail, readPage, forgetsEnd: true, mayMend, pauses: patience };
      try {
        yield* follow(followed, after, signal);
      } catch (error) {
        // Nothing can come any more.
        if (!(error instanceof StreamDeleted)) throw error;
      } finally {
        await pages.close();
      }
    },
    oldestHiddenAgeMs: () => Promise.resolve(0),
  };
};

/** A refused user may be allowed again by an operator: readers wait for that too, and the probe tells of it. */
const mayMend = (error: unknown): boolean => {
  if (error instanceof EventStoreUnavailable) return true;
  const failure = failureOf(error);
  return failure.kind === 'refused' || isTransient(failure);
};

import { BEGINNING, type Position } from '../../application/ports/event-store.ts';
import { type LogTail as Tail, watchTail } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, withRetries } from './deadlines.ts';
import { ShowsLess } from './errors.ts';
import { endOf, type LogEnd } from './read.ts';
import { later } from './records.ts';
import { type Subscription, subscribe } from './subscription.ts';

/** Before it was asked for: nothing lies before it, so that a reader asks. */
const UNKNOWN: LogEnd = { position: BEGINNING, node: null };

/**
 * The end of the log, at the leader. A reader that reads forward to the end that `refresh` answers, on the same node, has
 * seen everything up to it.
 */
export interface LogTail extends Tail<LogEnd>, Pick<Subscription, 'page'> {
  /** A node has confirmed an event there: followers that wait read that far, and need not ask for the end. */
  readonly acknowledged: (upTo: LogEnd) => void;
  /** An event lies there, whoever said so: the log ends there or behind it. */
  readonly observed: (position: Position) => void;
  readonly close: () => Promise<void>;
}

export const createLogTail = (connection: Connection, deadlines: Deadlines): LogTail => {
  let end = UNKNOWN;
  let watermark: Position = BEGINNING;
  let subscription: Subscription | null = null;
  const ask = async (): Promise<LogEnd> => {
    try {
      end = await withRetries(deadlines, async () => {
        // As of now: an answer may be under way while an append of this process is acknowledged.
        const known = later(end.position, watermark);
        const found = await endOf(connection, deadlines.callMs);
        // More may have been acknowledged meanwhile.
        if (found.position >= known) return found.position < end.position ? end : found;
        // A new leader may not show yet what the old one did, and an old one what others have seen; a log does not shrink.
        if (found.node !== null) connection.invalidate(found.node);
        throw new ShowsLess('a node shows less of the log than it did before');
      });
    } catch (error) {
      // After so many retries the log may as well be another one: nothing known of it counts any more.
      [end, watermark] = [UNKNOWN, BEGINNING];
      throw error;
    }
    return end;
  };
  const tail = watchTail({ ask, known: () => end, pollMs: deadlines.pollMs });
  const { refresh, beyond, hint, close } = tail;
  const grow = (upTo: LogEnd): void => {
    if (upTo.position <= end.position) return;
    // It may not be known which node said so.
    if (upTo.node === null) return hint(upTo.position);
    end = { ...upTo, isPassed: upTo.position < watermark };
    tail.grown();
  };
  return {
    refresh,
    beyond: (position, signal) => {
      if (!signal.aborted && position >= end.position) {
        subscription ??= subscribe(connection, deadlines, { hint, grow, known: () => end.position });
      }
      return beyond(position, signal);
    },
    page: (query) => subscription?.page(query) ?? null,
    acknowledged: (upTo) => {
      if (subscription?.expect(upTo) !== true) grow(upTo);
    },
    observed: (position) => (watermark = later(watermark, position)),
    close: async () => {
      close();
      await subscription?.close();
    },
  };
};

import { BEGINNING, type Position } from '../../application/ports/event-store.ts';
import { type LogTail as Tail, watchTail } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import { type Deadlines, withRetries } from './deadlines.ts';
import { NodeLagsBehind } from './errors.ts';
import { endOf, type LogEnd } from './read.ts';
import { laterOf } from './records.ts';
import { type Subscription, subscribe } from './subscription.ts';

/** Before the first request. No position precedes it, so a reader asks the store. */
const UNKNOWN: LogEnd = { position: BEGINNING, node: null };

/**
 * The end of the log, at the leader. A reader that reads forward on the same node to the end that `refresh`
 * returns has seen everything up to it.
 */
export interface LogTail extends Tail<LogEnd>, Pick<Subscription, 'page'> {
  /** A node has confirmed an event there: waiting followers read up to it without asking for the end. */
  readonly acknowledged: (upTo: LogEnd) => void;
  /** An event exists there, whichever node showed it: the log ends there or later. */
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
        // Read before the call: an append of this process may be acknowledged while the call runs.
        const known = laterOf(end.position, watermark);
        const found = await endOf(connection, deadlines.callMs);
        // More may have been acknowledged meanwhile.
        if (found.position >= known) return found.position < end.position ? end : found;
        // A log does not shrink, but a new leader may not show yet what the old one did, and an old one not
        // what others have seen.
        if (found.node !== null) connection.invalidate(found.node);
        throw new NodeLagsBehind('a node shows less of the log than it did before');
      });
    } catch (error) {
      // After this many retries the log may be another one: discard everything known about it.
      [end, watermark] = [UNKNOWN, BEGINNING];
      throw error;
    }
    return end;
  };
  const tail = watchTail({ ask, known: () => end, pollMs: deadlines.pollMs });
  const { refresh, beyond, hint, close } = tail;
  const grow = (upTo: LogEnd): void => {
    if (upTo.position <= end.position) return;
    // `node` is null if it is unknown which node reported the position.
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
      if (subscription?.awaitArrival(upTo) !== true) grow(upTo);
    },
    observed: (position) => (watermark = laterOf(watermark, position)),
    close: async () => {
      close();
      await subscription?.close();
    },
  };
};

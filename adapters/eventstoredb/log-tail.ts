import { BEGINNING } from '../../application/ports/event-store.ts';
import type { Position } from '../../application/ports/event-store.ts';
import { type LogTail as Tail, watchTail } from '../event-feed/log-tail.ts';
import type { Connection } from './connection.ts';
import { ShowsLess } from './failures.ts';
import { type LiveLog, watchLog } from './live-log.ts';
import { endOf, type LogEnd } from './log-end.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { later } from './positions.ts';

/** Before it was asked for: nothing lies before it, so that a reader asks. */
const UNKNOWN: LogEnd = { position: BEGINNING, node: null };

/**
 * The end of the log, at the leader. Whoever reads forward to the end that `refresh` answers, on the same node, has
 * seen everything up to it.
 */
export interface LogTail extends Tail<LogEnd>, Pick<LiveLog, 'page'> {
  /** A node has confirmed what lies there: whoever waits for it reads that far, and need not ask for the end. */
  readonly told: (upTo: LogEnd) => void;
  /** An event lies there, whoever said so: the log ends there or behind it. */
  readonly saw: (position: Position) => void;
  readonly close: () => Promise<void>;
}

export const createLogTail = (connection: Connection, patience: Patience): LogTail => {
  let end = UNKNOWN;
  let seen: Position = BEGINNING;
  let live: LiveLog | null = null;
  const ask = async (): Promise<LogEnd> => {
    try {
      end = await patiently(patience, async () => {
        // By then: an answer may be under way while an append of this process is acknowledged.
        const known = later(end.position, seen);
        const found = await endOf(connection, patience.callMs);
        // It may have been told of more meanwhile.
        if (found.position >= known) return found.position < end.position ? end : found;
        // A new leader may not show yet what the old one did, and an old one what others have seen; a log does not shrink.
        if (found.node !== null) connection.leave(found.node);
        throw new ShowsLess('a node shows less of the log than it did before');
      });
    } catch (error) {
      // Whatever was known: after this much patience the log may as well be another one.
      [end, seen] = [UNKNOWN, BEGINNING];
      throw error;
    }
    return end;
  };
  const tail = watchTail({ ask, known: () => end, pollMs: patience.pollMs });
  const { refresh, beyond, hint, close } = tail;
  const told = (upTo: LogEnd): void => {
    if (upTo.position <= end.position) return;
    // Whose word it is may not be known.
    if (upTo.node === null) return hint(upTo.position);
    end = { ...upTo, isPassed: upTo.position < seen };
    tail.grown();
  };
  return {
    refresh,
    beyond: (position, signal) => {
      if (!signal.aborted && position >= end.position) {
        live ??= watchLog(connection, patience, { hint, told, known: () => end.position });
      }
      return beyond(position, signal);
    },
    page: (wanted) => live?.page(wanted) ?? null,
    told: (upTo) => {
      if (live?.brings(upTo) !== true) told(upTo);
    },
    saw: (position) => (seen = later(seen, position)),
    close: async () => {
      close();
      await live?.close();
    },
  };
};

import { BEGINNING } from '../../application/ports/event-store.ts';
import type { Position } from '../../application/ports/event-store.ts';
import { type LogEnd as End, type LogTail as Tail, watchTail } from '../event-feed/log-tail.ts';
import type { Connection } from './connection.ts';
import { ShowsLess } from './failures.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { later } from './positions.ts';
import { placeOf, recordOf } from './records.ts';
import { newestRequest } from './requests.ts';
import { watchLog } from './wake-up.ts';

/** The place of the newest event of all, the server's own included. */
export interface LogEnd extends End {
  /** Who said so. Another node may not show as much yet, not even as the new leader. */
  readonly node: object | null;
}

/** Before it was asked for: nothing lies before it, so that a reader asks. */
const UNKNOWN: LogEnd = { position: BEGINNING, node: null };

/**
 * The end of the log, at the leader. Whoever reads forward to the end that `refresh` answers, on the same node, has
 * seen everything up to it.
 */
export interface LogTail extends Tail<LogEnd> {
  /** This process has appended, up to there: whoever waits need not wait for the server to say so. */
  readonly appended: (upTo: Position) => void;
  /** An event lies there, whoever said so: the log ends there or behind it. */
  readonly saw: (position: Position) => void;
  readonly close: () => Promise<void>;
}

export const createLogTail = (connection: Connection, patience: Patience): LogTail => {
  let end = UNKNOWN;
  let seen: Position = BEGINNING;
  let watch: { readonly close: () => Promise<void> } | null = null;
  const ask = async (): Promise<LogEnd> => {
    try {
      end = await patiently(patience, async () => {
        // By then: an answer may be under way while an append of this process is acknowledged.
        const known = later(end.position, seen);
        const found = await endOf(connection, patience.callMs);
        if (found.position >= known) return found;
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
  const { refresh, beyond, hint, close } = watchTail({ ask, known: () => end, pollMs: patience.pollMs });
  return {
    refresh,
    beyond: (position, signal) => {
      if (!signal.aborted && position >= end.position) {
        watch ??= watchLog(connection, patience, { hint, known: () => end.position });
      }
      return beyond(position, signal);
    },
    appended: hint,
    saw: (position) => (seen = later(seen, position)),
    close: async () => {
      close();
      await watch?.close();
    },
  };
};

export const endOf = async (connection: Connection, silenceMs: number): Promise<LogEnd> => {
  let node: object | null = null;
  const onNode = (answering: object): void => {
    node = answering;
  };
  for await (const frames of connection.read(newestRequest(), { silenceMs, onNode })) {
    const record = frames.map(recordOf).find((found) => found !== undefined);
    if (record !== undefined) return { position: placeOf(record), node };
  }
  return { position: BEGINNING, node };
};

import { BEGINNING, type Position } from '../../application/ports/event-store.ts';
import { type LogEnd as End, type LogTail as Tail, watchTail } from '../event-feed/log-tail.ts';
import type { Connection } from './connection.ts';
import { movedOn } from './failures.ts';
import { patiently } from './patience.ts';
import type { Patience } from './patience.ts';
import { placeOf, recordOf } from './records.ts';
import { newestRequest } from './requests.ts';
import { watchLog } from './wake-up.ts';

/** The place of the newest event of all, the server's own included. */
export interface LogEnd extends End {
  /** Who said so. Another node may not show as much yet, not even as the new leader. */
  readonly node: object | null;
}

/** Before it was asked for: nothing lies before it, so that a reader asks. */
export const UNKNOWN: LogEnd = { position: BEGINNING, node: null };

/**
 * The end of the log, at the leader. Whoever reads forward to the end that `refresh` answers, on the same node, has
 * seen everything up to it.
 */
export interface LogTail extends Tail<LogEnd> {
  /** This process has appended, up to there: whoever waits need not wait for the server to say so. */
  readonly appended: (upTo: Position) => void;
  readonly close: () => Promise<void>;
}

export const createLogTail = (connection: Connection, patience: Patience): LogTail => {
  let end = UNKNOWN;
  let watch: { readonly close: () => Promise<void> } | null = null;
  const ask = async (): Promise<LogEnd> => {
    try {
      end = await patiently(patience, async () => notBefore(end, await endOf(connection, patience.callMs)));
    } catch (error) {
      // Whatever was known: after this much patience the log may as well be another one.
      end = UNKNOWN;
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
    close: async () => {
      close();
      await watch?.close();
    },
  };
};

/** A new leader may not show yet what the old one did; a log does not shrink. */
const notBefore = (known: LogEnd, found: LogEnd): LogEnd => {
  if (found.position < known.position) throw movedOn();
  return found;
};

export const endOf = async (connection: Connection, deadlineMs: number): Promise<LogEnd> => {
  let node: object | null = null;
  const onNode = (answering: object): void => {
    node = answering;
  };
  for await (const frame of connection.read(newestRequest(), { deadlineMs, onNode })) {
    const record = recordOf(frame);
    if (record !== undefined) return { position: placeOf(record), node };
  }
  return { position: BEGINNING, node };
};

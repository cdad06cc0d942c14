import { BEGINNING } from '../../application/ports/event-store.ts';
import type { LogEnd as End } from '../event-feed/log-tail.ts';
import type { Connection } from './connection.ts';
import { placeOf } from './records.ts';
import { newestRequest } from './requests.ts';

/** The place of the newest event of all, the server's own included. */
export interface LogEnd extends End {
  /** Who said so. Another node may not show as much yet, not even as the new leader. */
  readonly node: object | null;
}

/** Asks the node that answers now. `silenceMs` without a word ends the question with an error. */
export const endOf = async (connection: Connection, silenceMs: number): Promise<LogEnd> => {
  let node: object | null = null;
  const onNode = (answering: object): void => {
    node = answering;
  };
  let position = BEGINNING;
  // To its end, which comes at once: a call that is left is an error to both sides, and costs more.
  for await (const frames of connection.read(newestRequest(), { silenceMs, onNode })) {
    for (const { record } of frames) if (record !== null) position = placeOf(record);
  }
  return { position, node };
};

import type { LogLook } from '../../application/ports/known-log.ts';
import type { Connection } from './connection.ts';
import { failureOf, unavailable } from './failures.ts';
import { endOf } from './log-tail.ts';
import { within } from './patience.ts';
import { recordOf, toEvent } from './records.ts';
import { streamRequest } from './requests.ts';

/**
 * What the leader shows now, in `ms` at most, by calls of its own: nothing that this process remembers of the log plays
 * a part. A refusal may have told the client where the leader is, so that it asks once more.
 *
 * @throws EventStoreUnavailable, in words for an operator
 */
export const lookAtLog = async (
  connection: Connection,
  identityStream: string,
  ms: number,
): Promise<LogLook> => {
  const ask = async (): Promise<LogLook> => {
    const [{ position: end }, identity] = await Promise.all([
      endOf(connection, ms),
      identityIn(connection, identityStream, ms),
    ]);
    return { end, identity };
  };
  const again = (error: unknown): Promise<LogLook> => {
    if (failureOf(error).kind !== 'not_done') throw error;
    return ask();
  };
  try {
    return await within(ms, ask().catch(again));
  } catch (error) {
    throw unavailable(failureOf(error), error);
  }
};

const identityIn = async (
  connection: Connection,
  stream: string,
  deadlineMs: number,
): Promise<string | null> => {
  for await (const frame of connection.read(streamRequest(stream, { from: 0n, limit: 1 }), { deadlineMs })) {
    const record = recordOf(frame);
    const identity = record === undefined ? undefined : toEvent(record)?.data['identity'];
    if (typeof identity === 'string') return identity;
  }
  return null;
};

import type { LogLook } from '../../application/ports/read-gate.ts';
import type { Connection } from './connection.ts';
import { failureOf, isTransient, unavailable } from './failures.ts';
import { endOf } from './log-end.ts';
import { within } from './patience.ts';
import { toEvent } from './records.ts';
import { streamRequest } from './requests.ts';

/** Part of the time for the first question. */
const FIRST = 0.6;

/**
 * What the leader shows now, in `ms` at most, by calls of its own: nothing that this process remembers of the log plays
 * a part. It asks once more where a first node has named another one as the leader, or was silent.
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
      endOf(connection, ms * FIRST),
      identityIn(connection, identityStream, ms * FIRST),
    ]);
    return { end, identity };
  };
  const again = (error: unknown): Promise<LogLook> => {
    if (!isTransient(failureOf(error))) throw error;
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
  silenceMs: number,
): Promise<string | null> => {
  for await (const frames of connection.read(streamRequest(stream, { from: 0n, limit: 1 }), { silenceMs })) {
    const record = frames.find((frame) => frame.record !== null)?.record ?? null;
    const identity = record && toEvent(record)?.data['identity'];
    if (typeof identity === 'string') return identity;
  }
  return null;
};

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../application/ports/event-store.ts';
import type { Connection, ReadLimits } from './connection.ts';
import type { StoredRecord } from './messages.ts';
import { newestRequest, recordRequest, streamRequest } from './read-requests.ts';
import { fromPosition, positionOf } from './records.ts';

/**
 * Resolves if a record begins at `position`. The read goes backwards, because the server then compares two
 * lengths. Forwards, it would take the bytes at the position for a record and might read on for seconds.
 *
 * @throws the server's error for a position at which no record begins
 */
export const checkPosition = async (
  connection: Connection,
  position: Position,
  limits: ReadLimits,
): Promise<void> => {
  await oneRecord(connection, newestRequest(fromPosition(position)), limits);
};

/**
 * The revision of the first event of a stream after `after`, or the next one to come: no event before it is
 * after `after`. Costs one small read where no event is, three where the record at `after` is the stream's
 * own, or else about as many as the length of the stream has binary digits.
 *
 * @throws the server's error as `checkPosition`, where events are after `after`
 */
export const revisionAfter = async (
  connection: Connection,
  stream: string,
  after: Position,
  limits: ReadLimits,
): Promise<bigint> => {
  const position = fromPosition(after);
  if (position === null) return 0n;
  const read = (request: ReadReq) => oneRecord(connection, request, limits);
  const last = await read(streamRequest(stream, { from: 'end', limit: 1 }));
  if (last === null) return 0n;
  if (positionOf(last) <= after) return last.revision + 1n;
  await checkPosition(connection, after, limits);
  const at = await read(recordRequest(position));
  if (at?.stream === stream) return positionOf(at) > after ? at.revision : at.revision + 1n;
  let [low, high] = [0n, last.revision];
  while (low < high) {
    const middle = (low + high) / 2n;
    const record = await read(streamRequest(stream, { from: middle, limit: 1 }));
    if (record !== null && positionOf(record) <= after) low = record.revision + 1n;
    else high = middle;
  }
  return low;
};

const oneRecord = async (
  connection: Connection,
  request: ReadReq,
  limits: ReadLimits,
): Promise<StoredRecord | null> => {
  let found: StoredRecord | null = null;
  // Read to its end, which comes at once: leaving a call early is an error to both sides, and costs more.
  for await (const messages of connection.read(request, limits)) {
    for (const { record } of messages) found ??= record;
  }
  return found;
};

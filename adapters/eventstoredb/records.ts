import type { JsonObject, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import { positionOf } from './positions.ts';
import type { StoredRecord } from './wire/read-responses.ts';

/** What servers before 22.6 answer where a position should be. */
const NO_POSITION = 2n ** 64n - 1n;
/** Digits behind the milliseconds: `created` counts 100 ns from 1970. */
const TICKS = 4;

export const placeOf = (record: StoredRecord): Position => {
  if (record.commit === NO_POSITION) {
    throw new Error('EventStoreDB 23.10 or newer is needed: it tells no positions');
  }
  return positionOf(record);
};

/**
 * Null for what this adapter has not written: the server's own events and links (their types begin with `$`), and
 * events of other programs that are no JSON objects.
 */
export const toEvent = (record: StoredRecord, position = placeOf(record)): RecordedEvent | null => {
  const { type, contentType, created, stream, revision } = record;
  if (type === '' || type.startsWith('$') || contentType !== 'application/json') return null;
  const data = jsonObject(record.data);
  const metadata = jsonObject(record.metadata);
  if (data === null) return null;
  return {
    id: record.id.toLowerCase(),
    type,
    data,
    metadata: metadata ?? {},
    stream,
    revision,
    position,
    recordedAt: Number(created.slice(0, -TICKS)),
  };
};

const jsonObject = (bytes: Uint8Array): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
};

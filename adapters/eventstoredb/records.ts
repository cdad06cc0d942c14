import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { JsonObject, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import { positionOf } from './positions.ts';

type Stored = ReadResp.ReadEvent.RecordedEvent;

/** What servers before 22.6 answer where a position should be. */
const NO_POSITION = String(2n ** 64n - 1n);
/** Digits behind the milliseconds: `created` counts 100 ns from 1970. */
const TICKS = 4;

/** The record of a frame; undefined for other frames. A link stands for itself, so that one whose event is gone has a place. */
export const recordOf = (frame: ReadResp): Stored | undefined => {
  const read = frame.getEvent();
  return read?.getLink() ?? read?.getEvent();
};

export const placeOf = (record: Stored): Position => {
  const commit = record.getCommitPosition();
  if (commit === NO_POSITION) throw new Error('EventStoreDB 23.10 or newer is needed: it tells no positions');
  return positionOf(commit, record.getPreparePosition());
};

/**
 * Null for what this adapter has not written: the server's own events and links (their types begin with `$`), and
 * events of other programs that are no JSON objects.
 */
export const toEvent = (record: Stored, position = placeOf(record)): RecordedEvent | null => {
  const about = record.getMetadataMap();
  const type = about.get('type') ?? '';
  if (type === '' || type.startsWith('$') || about.get('content-type') !== 'application/json') return null;
  const data = jsonObject(record.getData_asU8());
  const metadata = jsonObject(record.getCustomMetadata_asU8());
  if (data === null) return null;
  return {
    id: (record.getId()?.getString() ?? '').toLowerCase(),
    type,
    data,
    metadata: metadata ?? {},
    stream: Buffer.from(record.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8'),
    revision: BigInt(record.getStreamRevision()),
    position,
    recordedAt: Number((about.get('created') ?? '').slice(0, -TICKS)),
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

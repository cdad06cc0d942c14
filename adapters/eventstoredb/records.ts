import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  BEGINNING,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '../../application/ports/event-store.ts';
import type { StoredRecord } from './messages.ts';

/**
 * The position of a record in the log, in bytes from its beginning. Both numbers are equal except in
 * transactions of the old TCP client.
 */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const WIDTH = 20;
const POSITION = /^(\d{20}):(\d{20})$/;
const LARGEST = 2n ** 63n - 1n;
/** Servers before 22.6 send this instead of a position. */
const NO_POSITION = 2n ** 64n - 1n;
/** Digits after the milliseconds: `created` counts 100 ns since 1970. */
const TICKS = 4;

export const toPosition = ({ commit, prepare }: LogPosition): Position =>
  `${inDigits(commit)}:${inDigits(prepare)}`;

const inDigits = (bytes: bigint): string => String(bytes).padStart(WIDTH, '0');

/**
 * Null means before the first event.
 *
 * @throws DomainError invalid_cursor for a text that is not a position
 */
export const fromPosition = (position: Position): LogPosition | null => {
  if (position === BEGINNING) return null;
  const [, commit, prepare] = POSITION.exec(position) ?? [];
  if (!commit || !prepare || BigInt(commit) > LARGEST || BigInt(prepare) > LARGEST) {
    throw notAPosition(position);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
};

export const notAPosition = (position: Position): DomainError => {
  const quoted = JSON.stringify(position.slice(0, 100));
  return new DomainError(
    'invalid_cursor',
    `${quoted} is not a position of this event log: take one from an answer`,
  );
};

export const laterOf = (a: Position, b: Position): Position => (a > b ? a : b);

/** Bytes of log between two positions. */
export const bytesBetween = (from: Position, to: Position): number =>
  Math.max(0, Number((fromPosition(to)?.commit ?? 0n) - (fromPosition(from)?.commit ?? 0n)));

export const positionOf = (record: StoredRecord): Position => {
  if (record.commit === NO_POSITION) {
    throw new Error('this server sends no positions: EventStoreDB 23.10 or newer is needed');
  }
  return toPosition(record);
};

/**
 * Returns null for records that this adapter has not written: the server's own events and links (their types
 * begin with `$`), and events of other programs that are not JSON objects.
 */
export const toEvent = (record: StoredRecord, position = positionOf(record)): RecordedEvent | null => {
  const { type, contentType, created, stream, revision } = record;
  if (type === '' || type.startsWith('$') || contentType !== 'application/json') return null;
  const data = jsonObject(record.data);
  if (data === null) return null;
  return {
    id: record.id.toLowerCase(),
    type,
    data,
    metadata: jsonObject(record.metadata) ?? {},
    stream,
    revision,
    position,
    recordedAt: Number(created.slice(0, -TICKS)),
  };
};

/** Null for anything but a JSON object in UTF-8. */
export const jsonObject = (bytes: Uint8Array): JsonObject | null => {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
};

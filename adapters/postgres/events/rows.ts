import { DomainError } from '../../../domain/shared/domain-error.ts';
import { BEGINNING } from '../../../application/ports/event-store.ts';
import type { JsonObject, Position, RecordedEvent } from '../../../application/ports/event-store.ts';

/** Transaction and place within it, as the decimal texts that Postgres answers and takes. */
export type Place = readonly [tx: string, pos: string];

const WIDTH = 20;
const POSITION = /^(\d{20}):(\d{20})$/;

export const toPosition = ([tx, pos]: Place): Position =>
  `${tx.padStart(WIDTH, '0')}:${pos.padStart(WIDTH, '0')}`;

/** @throws when the text is not a position of this adapter */
/** Of a bigint column. */
const LARGEST = 2n ** 63n - 1n;

export const fromPosition = (position: Position): Place => {
  if (position === BEGINNING) return ['0', '0'];
  const [, tx, pos] = POSITION.exec(position) ?? [];
  if (!tx || !pos || BigInt(tx) > LARGEST || BigInt(pos) > LARGEST) {
    const shown = JSON.stringify(position.slice(0, 100));
    throw new DomainError(
      'invalid_cursor',
      `${shown} is not a position of this event log: take one from an answer`,
    );
  }
  return [tx, pos];
};

/** The columns that `toEvent` takes, in its order, all as text: this leaves the pool's type parsers out of it. */
export const COLUMNS =
  'e.tx, e.pos, e.stream, e.revision, e.event_id, e.type, e.data, e.metadata, e.recorded_at';

export type EventRow = readonly [
  tx: string,
  pos: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: string,
];

export const asText = { getTypeParser: () => String };

export const toEvent = (row: EventRow): RecordedEvent => {
  const [tx, pos, stream, revision, id, type, data, metadata, recordedAt] = row;
  return {
    id,
    type,
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as JsonObject,
    stream,
    revision: BigInt(revision),
    position: toPosition([tx, pos]),
    recordedAt: Number(recordedAt),
  };
};

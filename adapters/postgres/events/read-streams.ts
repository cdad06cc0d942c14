import {
  BEGINNING,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { createMicroBatch } from '../batching.ts';
import type pg from 'pg';

/** Events of one stream from a revision; a null `limit` means all. */
export interface StreamRead {
  readonly stream: string;
  readonly first: bigint;
  readonly limit: number | null;
}

/**
 * Reads streams. Reads that are requested in one turn of the event loop share one statement: a caller that
 * starts several tasks at once requests all of their streams at once.
 */
export const createStreamReader = (
  pool: pg.Pool,
): ((read: StreamRead) => Promise<readonly RecordedEvent[]>) =>
  createMicroBatch({
    maxInFlight: Infinity,
    send: async (reads: readonly StreamRead[]) =>
      reads.length === 1 ? [await readOne(pool, reads[0]!)] : readMany(pool, reads),
  });

const readOne = async (
  pool: pg.Pool,
  { stream, first, limit }: StreamRead,
): Promise<readonly RecordedEvent[]> => {
  const { rows } = await pool.query<EventRow & unknown[]>({
    name: 'es-read-stream',
    text: `SELECT ${COLUMNS} FROM es.events e WHERE e.stream = $1 AND e.revision >= $2 ORDER BY e.revision LIMIT $3`,
    values: [stream, String(first), limit],
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/**
 * The lists are passed by sub-selects, so that the plan does not depend on their length: see
 * `opaqueToPlanner`.
 */
const readMany = async (
  pool: pg.Pool,
  reads: readonly StreamRead[],
): Promise<readonly (readonly RecordedEvent[])[]> => {
  const { rows } = await pool.query<string[]>({
    name: 'es-read-streams',
    text: `SELECT ${COLUMNS}, r.nth
      FROM unnest((SELECT $1::text[]), (SELECT $2::bigint[]), (SELECT $3::bigint[])) WITH ORDINALITY AS r (stream, first, most, nth)
      CROSS JOIN LATERAL (
        SELECT * FROM es.events e WHERE e.stream = r.stream AND e.revision >= r.first
        ORDER BY e.revision LIMIT r.most) e
      ORDER BY r.nth, e.revision`,
    values: [
      reads.map(({ stream }) => stream),
      reads.map(({ first }) => String(first)),
      reads.map(({ limit }) => limit),
    ],
    rowMode: 'array',
    types: asText,
  });
  const found = reads.map((): RecordedEvent[] => []);
  for (const row of rows) found[Number(row.at(-1)) - 1]!.push(toEvent(row as unknown as EventRow));
  return found;
};

/** Transaction and position within it, as the decimal texts that Postgres returns and accepts. */
export type RecordedPosition = readonly [tx: string, pos: string];

const WIDTH = 20;
const POSITION = /^(\d{20}):(\d{20})$/;

export const toPosition = ([tx, pos]: RecordedPosition): Position =>
  `${tx.padStart(WIDTH, '0')}:${pos.padStart(WIDTH, '0')}`;

/** Maximum of a bigint column. */
const MAX_BIGINT = 2n ** 63n - 1n;

export const fromPosition = (position: Position): RecordedPosition => {
  if (position === BEGINNING) return ['0', '0'];
  const [, tx, pos] = POSITION.exec(position) ?? [];
  if (!tx || !pos || BigInt(tx) > MAX_BIGINT || BigInt(pos) > MAX_BIGINT) {
    const quoted = JSON.stringify(position.slice(0, 100));
    throw new DomainError(
      'invalid_cursor',
      `${quoted} is not a position of this event log: take one from an answer`,
    );
  }
  return [tx, pos];
};

/** The columns of `toEvent`, in its order, all as text: this bypasses the pool's type parsers. */
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

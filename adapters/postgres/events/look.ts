import type pg from 'pg';
import { BEGINNING, type Position } from '../../../application/ports/event-store.ts';
import type { LogAnswer } from '../../../application/ports/read-gate.ts';
import { unreachable } from './failures.ts';
import { asText, fromPosition, toPosition } from './rows.ts';

/**
 * In one statement: the first event of the stream `identityStream` says what the identity is, and a place that was `seen`
 * once is that of an event for ever.
 *
 * @throws EventStoreUnavailable
 */
export const lookAtLog = async (
  pool: pg.Pool,
  identityStream: string,
  seen: Position,
): Promise<LogAnswer> => {
  try {
    const { rows } = await pool.query<(string | null)[]>({
      name: 'es-look',
      text: `SELECT h.tx, h.pos, (SELECT e.data->>'identity' FROM es.events e WHERE e.stream = $1 AND e.revision = 0),
               $2::bigint IS NULL OR EXISTS (SELECT FROM es.events e WHERE e.tx = $2 AND e.pos = $3)
             FROM (SELECT 1) one LEFT JOIN es.stable_head() h ON true`,
      values: [identityStream, ...(seen === BEGINNING ? [null, null] : fromPosition(seen))],
      rowMode: 'array',
      types: asText,
    });
    const [tx, pos, identity = null, holds] = rows[0] ?? [];
    return { end: tx && pos ? toPosition([tx, pos]) : BEGINNING, identity, holds: holds === 't' };
  } catch (error) {
    throw unreachable(error);
  }
};

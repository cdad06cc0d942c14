import type pg from 'pg';
import type { EventFilter, Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import { COLUMNS, asText, fromPosition, toEvent, toPosition } from './rows.ts';
import type { EventRow } from './rows.ts';

/** A stretch of the stable part of the log: after the first position, up to and including the second. */
export interface Stretch {
  readonly after: Position;
  readonly upTo: Position;
}

/** How many events a selective filter may have to skip in one statement. */
const WINDOW = 10_000;

/** The first matching events of a stretch, in order. */
export const readPage = async (
  pool: pg.Pool,
  { after, upTo }: Stretch,
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const values: unknown[] = [...fromPosition(after), ...fromPosition(upTo), limit];
  const conditions: string[] = [];
  let shape = '';
  const condition = (key: keyof EventFilter, sql: (parameter: string) => string): void => {
    if (filter[key] === undefined) return;
    values.push(filter[key]);
    conditions.push(`AND ${sql(`$${values.length}`)}`);
    shape += `-${key}`;
  };
  condition('stream', (parameter) => `e.stream = ${parameter}`);
  condition('categories', (parameter) => `e.category = ANY (${parameter})`);
  condition('types', (parameter) => `e.type = ANY (${parameter})`);
  condition('tenant', (parameter) => `e.tenant = ${parameter}`);
  condition('from', (parameter) => `e.recorded_at >= ${parameter}`);
  condition('to', (parameter) => `e.recorded_at < ${parameter}`);
  const { rows } = await pool.query<EventRow & unknown[]>({
    name: `es-page${shape}`,
    text: `SELECT ${COLUMNS} FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
        ${conditions.join(' ')}
      ORDER BY e.tx, e.pos LIMIT $5`,
    values,
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/**
 * A part of the stretch, from its beginning, that one statement can search in bounded time whatever the filter.
 * Without a filter every event counts, and one stream has an index: then it is the whole stretch.
 */
export const searchable = async (pool: pg.Pool, stretch: Stretch, filter: EventFilter): Promise<Stretch> => {
  if (filter.stream !== undefined || Object.values(filter).every((part) => part === undefined))
    return stretch;
  const { rows } = await pool.query<string[]>({
    name: 'es-window',
    text: `SELECT e.tx, e.pos FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
      ORDER BY e.tx, e.pos OFFSET ${WINDOW - 1} LIMIT 1`,
    values: [...fromPosition(stretch.after), ...fromPosition(stretch.upTo)],
    rowMode: 'array',
    types: asText,
  });
  const [tx, pos] = rows[0] ?? [];
  return tx && pos ? { after: stretch.after, upTo: toPosition([tx, pos]) } : stretch;
};

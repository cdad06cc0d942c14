import type pg from 'pg';
import {
  BEGINNING,
  type EventFilter,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { COLUMNS, type EventRow, asText, fromPosition, toEvent, toPosition } from './read-streams.ts';

/** A stretch of the stable part of the log: after the first position, up to and including the second. */
export interface Stretch {
  readonly after: Position;
  readonly upTo: Position;
}

/** How many events a selective filter may have to skip in one statement. */
const WINDOW = 10_000;

interface Conditions {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Which parts of a filter are given: statements of one shape are prepared once. */
  readonly shape: string;
}

/** What the filter asks, with parameters numbered behind the `given` ones. */
const conditionsOf = (filter: EventFilter, given: number): Conditions => {
  const values: unknown[] = [];
  const parts: string[] = [];
  let shape = '';
  const condition = (key: keyof EventFilter, sql: (parameter: string) => string): void => {
    if (filter[key] === undefined) return;
    values.push(filter[key]);
    parts.push(`AND ${sql(`$${given + values.length}`)}`);
    shape += `-${key}`;
  };
  condition('stream', (parameter) => `e.stream = ${parameter}`);
  condition('categories', (parameter) => `e.category = ANY (${parameter})`);
  condition('types', (parameter) => `e.type = ANY (${parameter})`);
  condition('tenant', (parameter) => `e.tenant = ${parameter}`);
  condition('from', (parameter) => `e.recorded_at >= ${parameter}`);
  condition('to', (parameter) => `e.recorded_at < ${parameter}`);
  return { sql: parts.join(' '), values, shape };
};

/** The first matching events of a stretch, in order. */
export const readPage = async (
  pool: pg.Pool,
  { after, upTo }: Stretch,
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const { sql, values, shape } = conditionsOf(filter, 5);
  const { rows } = await pool.query<EventRow & unknown[]>({
    name: `es-page${shape}`,
    text: `SELECT ${COLUMNS} FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
        ${sql}
      ORDER BY e.tx, e.pos LIMIT $5`,
    values: [...fromPosition(after), ...fromPosition(upTo), limit, ...values],
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/** Where a reader stands that goes back. `inclusive`: the event at this very place is still to come. */
export interface Backwards {
  readonly upTo: Position;
  readonly inclusive: boolean;
}

/** The last matching events behind `after` and before the reader, newest first. */
export const readPageBack = async (
  pool: pg.Pool,
  { after, upTo, inclusive }: Backwards & { readonly after: Position },
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const { sql, values, shape } = conditionsOf(filter, 6);
  const { rows } = await pool.query<EventRow & unknown[]>({
    name: `es-page-back${shape}`,
    text: `SELECT ${COLUMNS} FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
        AND ($6::boolean OR (e.tx, e.pos) < ($3::bigint, $4::bigint)) ${sql}
      ORDER BY e.tx DESC, e.pos DESC LIMIT $5`,
    values: [...fromPosition(after), ...fromPosition(upTo), limit, inclusive, ...values],
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/** Whether the log holds an event at or behind this place, be it stable yet or not. */
export const liesBehind = async (pool: pg.Pool, position: Position): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'es-lies-behind',
    text: 'SELECT 1 FROM es.events e WHERE (e.tx, e.pos) >= ($1::bigint, $2::bigint) LIMIT 1',
    values: [...fromPosition(position)],
  });
  return rows.length > 0;
};

/** Without a filter every event counts, and one stream has an index: then one statement finds a page in any stretch. */
const isDense = (filter: EventFilter): boolean =>
  filter.stream !== undefined || Object.values(filter).every((part) => part === undefined);

/**
 * Up to where one statement can search backwards in bounded time, whatever the filter: BEGINNING, or a place whose own
 * event is left to the next one.
 */
export const searchableBack = async (
  pool: pg.Pool,
  { upTo, inclusive }: Backwards,
  filter: EventFilter,
): Promise<Position> => {
  if (isDense(filter)) return BEGINNING;
  const { rows } = await pool.query<string[]>({
    name: 'es-window-back',
    text: `SELECT e.tx, e.pos FROM es.events e
      WHERE (e.tx, e.pos) <= ($1::bigint, $2::bigint) AND ($3::boolean OR (e.tx, e.pos) < ($1::bigint, $2::bigint))
      ORDER BY e.tx DESC, e.pos DESC OFFSET ${WINDOW} LIMIT 1`,
    values: [...fromPosition(upTo), inclusive],
    rowMode: 'array',
    types: asText,
  });
  const [tx, pos] = rows[0] ?? [];
  return tx && pos ? toPosition([tx, pos]) : BEGINNING;
};

/** A part of the stretch, from its beginning, that one statement can search in bounded time whatever the filter. */
export const searchable = async (pool: pg.Pool, stretch: Stretch, filter: EventFilter): Promise<Stretch> => {
  if (isDense(filter)) return stretch;
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

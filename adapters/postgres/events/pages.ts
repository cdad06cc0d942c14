import type pg from 'pg';
import {
  BEGINNING,
  type EventFilter,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { COLUMNS, type EventRow, asText, fromPosition, toEvent, toPosition } from './read-streams.ts';

/** A range of the stable part of the log: after the first position, up to and including the second. */
export interface LogRange {
  readonly after: Position;
  readonly upTo: Position;
}

/** Maximum number of events that a selective filter may skip in one statement. */
const WINDOW = 10_000;

/** The hashes of these texts have an index in the order of the log. */
const ACTOR = "e.metadata -> 'actor' ->> 'id'";
const TRACE_ID = "substr(e.metadata ->> 'traceparent', 4, 32)";
const hasText = (text: string, parameter: string): string =>
  `hashtext(${text}) = hashtext(${parameter}::text) AND ${text} = ${parameter}`;

interface Conditions {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Statements with the same parts of the filter are prepared once: the name for one, by what it does. */
  readonly prepared: (does: string) => { readonly name?: string };
}

/** The filter as conditions; its parameters are numbered after the `given` ones, that of the stream first. */
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
  // Opaque to the planner, which would take every plan for a stream that makes up much of the log.
  condition('stream', (parameter) => `e.stream = (SELECT ${parameter}::text)`);
  condition('categories', (parameter) => `e.category = ANY (${parameter})`);
  condition('types', (parameter) => `e.type = ANY (${parameter})`);
  condition('tenant', (parameter) => `e.tenant = ${parameter}`);
  condition('actor', (parameter) => hasText(ACTOR, parameter));
  condition('traceId', (parameter) => hasText(TRACE_ID, parameter));
  condition('from', (parameter) => `e.recorded_at >= ${parameter}`);
  condition('to', (parameter) => `e.recorded_at < ${parameter}`);
  // The right plan depends on how often this actor acts, so it is made for each value.
  const prepared = (does: string) =>
    filter.actor === undefined && filter.traceId === undefined ? { name: `${does}${shape}` } : {};
  return { sql: parts.join(' '), values, prepared };
};

/**
 * The first revision of a stream behind a position, by halving. Within a stream revisions have the order of positions:
 * an append gets its transaction id after it has seen the event before its own.
 */
const revisionAfter = (stream: string, tx: string, pos: string): string => `(
  WITH RECURSIVE seek (low, high) AS (
    SELECT 0::bigint, coalesce(max(s.revision) + 1, 0) FROM es.events s WHERE s.stream = (SELECT ${stream}::text)
    UNION ALL
    SELECT CASE WHEN m.is_before THEN m.revision + 1 ELSE low END, CASE WHEN m.is_before THEN high ELSE (low + high) / 2 END
    FROM seek CROSS JOIN LATERAL (
      SELECT s.revision, (s.tx, s.pos) <= (${tx}::bigint, ${pos}::bigint) AS is_before FROM es.events s
      WHERE s.stream = (SELECT ${stream}::text) AND s.revision >= (low + high) / 2 ORDER BY s.revision LIMIT 1) m
    WHERE low < high)
  SELECT max(low) FROM seek)`;

/** The first matching events of a range, in order. */
export const readPage = async (
  pool: pg.Pool,
  { after, upTo }: LogRange,
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const { sql, values, prepared } = conditionsOf(filter, 5);
  // The index of streams has no positions: without a place in it, each page would fetch and sort the whole stream.
  const [place, order] =
    filter.stream === undefined
      ? ['', 'e.tx, e.pos']
      : [`AND e.revision >= ${revisionAfter('$6', '$1', '$2')}`, 'e.revision'];
  const { rows } = await pool.query<EventRow & unknown[]>({
    ...prepared('es-page'),
    text: `SELECT ${COLUMNS} FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
        ${sql} ${place}
      ORDER BY ${order} LIMIT $5`,
    values: [...fromPosition(after), ...fromPosition(upTo), limit, ...values],
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/** The state of a backwards reader. `inclusive`: the event at `upTo` has not been read yet. */
export interface BackwardCursor {
  readonly upTo: Position;
  readonly inclusive: boolean;
}

/** The last matching events from `from` (inclusive) and before the reader, newest first. */
export const readPageBack = async (
  pool: pg.Pool,
  { from, upTo, inclusive }: BackwardCursor & { readonly from: Position },
  filter: EventFilter,
  limit: number,
): Promise<readonly RecordedEvent[]> => {
  const { sql, values, prepared } = conditionsOf(filter, 6);
  const [place, order] =
    filter.stream === undefined
      ? ['', 'e.tx DESC, e.pos DESC']
      : [`AND e.revision < ${revisionAfter('$7', '$3', '$4')}`, 'e.revision DESC'];
  const { rows } = await pool.query<EventRow & unknown[]>({
    ...prepared('es-page-back'),
    text: `SELECT ${COLUMNS} FROM es.events e
      WHERE (e.tx, e.pos) >= ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint)
        AND ($6::boolean OR (e.tx, e.pos) < ($3::bigint, $4::bigint)) ${sql} ${place}
      ORDER BY ${order} LIMIT $5`,
    values: [...fromPosition(from), ...fromPosition(upTo), limit, inclusive, ...values],
    rowMode: 'array',
    types: asText,
  });
  return rows.map(toEvent);
};

/** Whether the log has an event at or after this position, stable or not. */
export const existsAtOrAfter = async (pool: pg.Pool, position: Position): Promise<boolean> => {
  const { rows } = await pool.query({
    name: 'es-lies-behind',
    text: 'SELECT 1 FROM es.events e WHERE (e.tx, e.pos) >= ($1::bigint, $2::bigint) LIMIT 1',
    values: [...fromPosition(position)],
  });
  return rows.length > 0;
};

/**
 * Whether one statement finds a page in any range: without a filter every event matches, and a stream has an
 * index.
 */
const isDense = (filter: EventFilter): boolean =>
  filter.stream !== undefined || Object.values(filter).every((part) => part === undefined);

/** Those conditions of a filter that have an index: only the events that meet them count as passed over. */
const indexed = ({ actor, traceId }: EventFilter): EventFilter => ({
  ...(actor !== undefined && { actor }),
  ...(traceId !== undefined && { traceId }),
});

/**
 * The position down to which (inclusive) one statement can search backwards in bounded time, whatever the filter;
 * BEGINNING if that is all.
 */
export const searchableBack = async (
  pool: pg.Pool,
  { upTo, inclusive }: BackwardCursor,
  filter: EventFilter,
): Promise<Position> => {
  if (isDense(filter)) return BEGINNING;
  const { sql, values, prepared } = conditionsOf(indexed(filter), 3);
  const { rows } = await pool.query<string[]>({
    ...prepared('es-window-back'),
    text: `SELECT e.tx, e.pos FROM es.events e
      WHERE (e.tx, e.pos) <= ($1::bigint, $2::bigint)
        AND ($3::boolean OR (e.tx, e.pos) < ($1::bigint, $2::bigint)) ${sql}
      ORDER BY e.tx DESC, e.pos DESC OFFSET ${WINDOW - 1} LIMIT 1`,
    values: [...fromPosition(upTo), inclusive, ...values],
    rowMode: 'array',
    types: asText,
  });
  const [tx, pos] = rows[0] ?? [];
  return tx && pos ? toPosition([tx, pos]) : BEGINNING;
};

/** The first part of the range that one statement can search in bounded time, whatever the filter. */
export const searchable = async (pool: pg.Pool, range: LogRange, filter: EventFilter): Promise<LogRange> => {
  if (isDense(filter)) return range;
  const { sql, values, prepared } = conditionsOf(indexed(filter), 4);
  const { rows } = await pool.query<string[]>({
    ...prepared('es-window'),
    text: `SELECT e.tx, e.pos FROM es.events e
      WHERE (e.tx, e.pos) > ($1::bigint, $2::bigint) AND (e.tx, e.pos) <= ($3::bigint, $4::bigint) ${sql}
      ORDER BY e.tx, e.pos OFFSET ${WINDOW - 1} LIMIT 1`,
    values: [...fromPosition(range.after), ...fromPosition(range.upTo), ...values],
    rowMode: 'array',
    types: asText,
  });
  const [tx, pos] = rows[0] ?? [];
  return tx && pos ? { after: range.after, upTo: toPosition([tx, pos]) } : range;
};

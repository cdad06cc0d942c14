import { type CheckedEvent, categoryOf } from '../../../application/ports/event-checks.ts';
import {
  type AppendResult,
  ConcurrencyConflict,
  EventStoreUnavailable,
  type ExpectedRevision,
  InvalidEvent,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { GATE, LOG_TIME, NOW_MS } from './gate-functions.ts';
import { asText, toPosition } from './read-streams.ts';
import pg from 'pg';

/** A checked append; `after` is the expected revision, with -1 for `none`. */
export interface Append {
  readonly stream: string;
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/** The outcome of an append: a result and whether it is new, or an error of the port. */
export type Outcome =
  | { readonly kind: 'appended' | 'repeated'; readonly result: AppendResult }
  | { readonly kind: 'failed'; readonly error: unknown };

const MAX_RACES = 3;

/**
 * Makes one append, usually in one round trip. If the stream is at another revision, the append lost a race
 * or the gate was closed, calls `es.append`, which waits at the gate and distinguishes a conflict from a
 * repetition.
 */
export const appendOne = async (pool: pg.Pool, append: Append): Promise<Outcome> => {
  const { after, events } = append;
  if (events.length <= MAX_EVENTS) {
    const result = await call<readonly [string]>(pool, small(append));
    if ('error' in result) {
      if (!lostRace(result.error)) return { kind: 'failed', error: result.failure };
    } else if (result.rows.length > 0) {
      const size = events.length;
      const position = toPosition([result.rows[0]![0], String(size)]);
      return { kind: 'appended', result: { revision: after + BigInt(size), position } };
    }
  }
  for (let race = 1; ; race += 1) {
    const result = await call<readonly [string]>(pool, single(append));
    if (!('error' in result)) return verdict(append, result.rows[0]!);
    if (!lostRace(result.error) || race === MAX_RACES) return { kind: 'failed', error: result.failure };
  }
};

/**
 * Appends to different streams in one transaction and round trip. Returns one outcome per append, in the
 * given order. Appends that the group leaves out, and all appends of a group that failed because of one of
 * them, are sent one by one.
 */
export const appendGroup = async (pool: pg.Pool, appends: readonly Append[]): Promise<readonly Outcome[]> => {
  const result = await call<GroupRow>(pool, group(appends));
  if ('error' in result && !isStatementRejected(result))
    return appends.map(() => ({ kind: 'failed', error: result.failure }));
  const rows = 'error' in result ? [] : result.rows;
  const positions = new Map(rows.map(([owner, tx, pos]) => [Number(owner) - 1, toPosition([tx, pos])]));
  const outcomes: Outcome[] = [];
  for (const [index, append] of appends.entries()) {
    const position = positions.get(index);
    const revision = append.after + BigInt(append.events.length);
    outcomes.push(
      position ? { kind: 'appended', result: { revision, position } } : await appendOne(pool, append),
    );
  }
  return outcomes;
};

type Verdict = 'appended' | 'repeated' | 'conflict';
type GroupRow = readonly [owner: string, tx: string, pos: string];
type CallResult<Row> =
  | { readonly rows: readonly Row[] }
  /** The error of the server or the connection, and its translation for the caller. */
  | { readonly error: unknown; readonly failure: unknown };

/** The server rejected the statement itself: nothing was written, and its parts may still succeed. */
const isStatementRejected = (result: { readonly error: unknown; readonly failure: unknown }): boolean =>
  lostRace(result.error) || result.failure === result.error;

const call = async <Row>(pool: pg.Pool, query: pg.QueryArrayConfig): Promise<CallResult<Row>> => {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { error, failure: unreachable(error) };
  }
  try {
    const { rows } = await client.query(query);
    client.release();
    return { rows: rows as Row[] };
  } catch (error) {
    const failure = appendFailure(error);
    client.release(failure !== error && !lostRace(error));
    return { error, failure };
  }
};

const small = ({ stream, after, events }: Append): pg.QueryArrayConfig => ({
  ...appendStatement(stream, after, events),
  rowMode: 'array',
  types: asText,
});

const single = ({ stream, after, events }: Append): pg.QueryArrayConfig => ({
  name: 'es-append',
  text: 'SELECT es.append($1, $2, $3, $4, $5, $6, $7)',
  values: [stream, after, ...columns(events)],
  rowMode: 'array',
  types: asText,
});

const group = (appends: readonly Append[]): pg.QueryArrayConfig => ({
  name: 'es-append-group',
  text: 'SELECT owner, tx, pos FROM es.append_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  values: [
    plainArray(appends.map((append) => append.stream)),
    plainArray(appends.map((append) => append.after)),
    plainArray(appends.flatMap((append, index) => append.events.map(() => index + 1))),
    plainArray(appends.flatMap((append) => append.events.map(() => append.stream))),
    plainArray(appends.flatMap((append) => append.events.map((_, nth) => append.after + BigInt(nth + 1)))),
    ...columns(appends.flatMap((append) => append.events)),
  ],
  rowMode: 'array',
  types: asText,
});

const columns = (events: readonly CheckedEvent[]): readonly unknown[] => [
  plainArray(events.map((event) => event.id)),
  plainArray(events.map((event) => event.type)),
  events.map((event) => event.tenant),
  events.map((event) => event.data).join('\n'),
  events.map((event) => event.metadata).join('\n'),
];

/**
 * An array literal of items that need no quoting, such as checked names, ids and numbers; the driver would
 * quote all.
 */
const plainArray = (items: readonly (string | number | bigint)[]): string => `{${items.join(',')}}`;

/** `row`: the one row of `es.append` as the text of a composite value. */
const verdict = ({ stream, after, events }: Append, [result]: readonly [string]): Outcome => {
  const [kind, revision, tx, pos] = result.slice(1, -1).split(',') as [Verdict, string, string, string];
  if (kind !== 'conflict')
    return { kind, result: { revision: BigInt(revision), position: toPosition([tx, pos]) } };
  const detail =
    Number(pos) > 0 ? `${pos} of its ${events.length} event ids are already recorded there` : undefined;
  return {
    kind: 'failed',
    error: new ConcurrencyConflict(stream, toExpected(after), toExpected(BigInt(revision)), detail),
  };
};

const toExpected = (revision: bigint): ExpectedRevision => (revision < 0n ? 'none' : revision);

/** Larger appends use `es.append`. */
const MAX_EVENTS = 8;

/** Parameters $1 to $3 are shared; the following ones belong to an event. */
const SHARED = 3;
const OF_EVENT = ['uuid', 'text', 'text', 'json', 'json'];

const valuesOf = (nth: number): string =>
  `(${[`${nth}::bigint`, ...OF_EVENT.map((type, column) => `$${SHARED + (nth - 1) * OF_EVENT.length + column + 1}::${type}`)].join(', ')})`;

/**
 * The common case of `es.append` as a plain statement for a fixed number of events: cheaper than arrays and a
 * function. Returns a row with the log time for each event, or none if the stream is not at the expected
 * revision or the gate is closed: then call `es.append`.
 *
 * Expressions that do not depend on the rows are evaluated once, the condition first: so the gate is entered
 * before the log time assigns this transaction its id. The statement does not wait at the gate, because its
 * plan contains the offset of the log's clock, which may change meanwhile.
 */
const statementFor = (size: number): string => `
  INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, tenant, data, metadata, recorded_at)
  SELECT (SELECT ${LOG_TIME}), v.nth, $1, $2, $3::bigint + v.nth, v.id, v.type, v.tenant, v.data, v.metadata,
    (SELECT ${NOW_MS})
  FROM (VALUES ${Array.from({ length: size }, (_, index) => valuesOf(index + 1)).join(', ')})
    AS v (nth, id, type, tenant, data, metadata)
  WHERE (SELECT pg_try_advisory_xact_lock_shared(${GATE}))
    AND coalesce((SELECT e.revision FROM es.events e WHERE e.stream = $1 ORDER BY e.revision DESC LIMIT 1), -1) = $3
  RETURNING tx`;

const STATEMENTS = Array.from({ length: MAX_EVENTS }, (_, index) => ({
  name: `es-append-${index + 1}`,
  text: statementFor(index + 1),
}));

/**
 * For 1 to MAX_EVENTS events; `after` is the expected revision, with -1 for a stream that does not exist yet.
 */
const appendStatement = (stream: string, after: bigint, events: readonly CheckedEvent[]) => ({
  ...STATEMENTS[events.length - 1]!,
  values: [
    stream,
    categoryOf(stream),
    after,
    ...events.flatMap(({ id, type, tenant, data, metadata }) => [id, type, tenant, data, metadata]),
  ],
});

/**
 * SQLSTATE of an error from the server, or null:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const stateOf = (error: unknown): string | null =>
  error instanceof pg.DatabaseError ? (error.code ?? null) : null;

const DISK_FULL = '53100';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Another transaction was faster (unique violation), or both blocked each other: nothing was written. */
const lostRace = (error: unknown): boolean => /^(23505|40)/.test(stateOf(error) ?? '');

/** The server could not be reached, so nothing was sent. */
export const unreachable = (error: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(`the event store cannot be reached: ${message(error)}`, { cause: error });

/** Translates the error of an append that was sent to an error of the port. */
export const appendFailure = (error: unknown): unknown => {
  const state = stateOf(error);
  if (state === null) {
    return new OutcomeUnknown(`the response of the event store was lost: ${message(error)}`, {
      cause: error,
    });
  }
  // The server may end a session just after its commit; a rejected, cancelled or lost statement wrote
  // nothing.
  if (/^(08|57P01|57P02|57P05)/.test(state)) {
    return new OutcomeUnknown(`the event store ended the session: ${message(error)}`, { cause: error });
  }
  if (state === DISK_FULL) {
    const text = `the disk of the event store is full: ${message(error)}`;
    return new EventStoreUnavailable(text, { cause: error, reason: 'full' });
  }
  if (/^(40|53|55|57|25006)/.test(state)) return unreachable(error);
  if (state === '23505')
    return new InvalidEvent('an event id is already recorded elsewhere', { cause: error });
  return error;
};

import type pg from 'pg';
import type { CheckedEvent } from '../../../application/ports/event-checks.ts';
import { ConcurrencyConflict } from '../../../application/ports/event-store.ts';
import type { AppendResult, ExpectedRevision } from '../../../application/ports/event-store.ts';
import { appendStatement, MAX_EVENTS } from './append-statement.ts';
import { appendFailure, lostRace, unreachable } from './failures.ts';
import { asText, toPosition } from './rows.ts';

/** One checked append on its way; `after` is the expected revision with -1 for `none`. */
export interface Append {
  readonly stream: string;
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/** What became of an append: a result and whether it is new, or an error of the port. */
export type Outcome =
  | { readonly kind: 'appended' | 'repeated'; readonly result: AppendResult }
  | { readonly kind: 'failed'; readonly error: unknown };

const RACES = 3;

/**
 * One append, in one round trip as a rule. Where it does not fit in, lost a race or found the gate shut, the function
 * is asked, which waits at the gate and tells a conflict from a repetition.
 */
export const appendOne = async (pool: pg.Pool, append: Append): Promise<Outcome> => {
  const { after, events } = append;
  if (events.length <= MAX_EVENTS) {
    const answer = await call<readonly [string]>(pool, small(append));
    if ('error' in answer) {
      if (!lostRace(answer.error)) return { kind: 'failed', error: answer.failure };
    } else if (answer.rows.length > 0) {
      const size = events.length;
      const position = toPosition([answer.rows[0]![0], String(size)]);
      return { kind: 'appended', result: { revision: after + BigInt(size), position } };
    }
  }
  for (let race = 1; ; race += 1) {
    const answer = await call<readonly [string]>(pool, single(append));
    if (!('error' in answer)) return verdict(append, answer.rows[0]!);
    if (!lostRace(answer.error) || race === RACES) return { kind: 'failed', error: answer.failure };
  }
};

/**
 * Appends to different streams in one transaction and round trip, with an outcome for each, in the given order.
 * Those that it cannot take, and all of a group that failed for one of them, go one by one.
 */
export const appendGroup = async (pool: pg.Pool, appends: readonly Append[]): Promise<readonly Outcome[]> => {
  const answer = await call<GroupRow>(pool, group(appends));
  if ('error' in answer && !isRefusal(answer))
    return appends.map(() => ({ kind: 'failed', error: answer.failure }));
  const rows = 'error' in answer ? [] : answer.rows;
  const places = new Map(rows.map(([owner, tx, pos]) => [Number(owner) - 1, toPosition([tx, pos])]));
  const outcomes: Outcome[] = [];
  for (const [index, append] of appends.entries()) {
    const position = places.get(index);
    const revision = append.after + BigInt(append.events.length);
    outcomes.push(
      position ? { kind: 'appended', result: { revision, position } } : await appendOne(pool, append),
    );
  }
  return outcomes;
};

type Verdict = 'appended' | 'repeated' | 'conflict';
type GroupRow = readonly [owner: string, tx: string, pos: string];
type Answer<Row> =
  | { readonly rows: readonly Row[] }
  /** What the server or the connection said, and what that means to the caller. */
  | { readonly error: unknown; readonly failure: unknown };

/** The server refused the statement as such, so nothing of it was written and its parts may still work. */
const isRefusal = (answer: { readonly error: unknown; readonly failure: unknown }): boolean =>
  lostRace(answer.error) || answer.failure === answer.error;

const call = async <Row>(pool: pg.Pool, query: pg.QueryArrayConfig): Promise<Answer<Row>> => {
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

/** For items that need no quoting in an array literal, as checked names, ids and numbers; the driver quotes all. */
const plainArray = (items: readonly (string | number | bigint)[]): string => `{${items.join(',')}}`;

/** `answer`: the one row of `es.append` as the text of a composite value. */
const verdict = ({ stream, after, events }: Append, [answer]: readonly [string]): Outcome => {
  const [kind, revision, tx, pos] = answer.slice(1, -1).split(',') as [Verdict, string, string, string];
  if (kind !== 'conflict')
    return { kind, result: { revision: BigInt(revision), position: toPosition([tx, pos]) } };
  const detail =
    Number(pos) > 0 ? `${pos} of its ${events.length} event ids are already recorded there` : undefined;
  return {
    kind: 'failed',
    error: new ConcurrencyConflict(stream, named(after), named(BigInt(revision)), detail),
  };
};

const named = (revision: bigint): ExpectedRevision => (revision < 0n ? 'none' : revision);

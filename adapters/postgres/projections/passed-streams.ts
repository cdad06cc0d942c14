import { sql } from 'kysely';
import { isOurs } from '../../../application/event-sourcing/event-codec.ts';
import { categoryOf } from '../../../application/ports/event-checks.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import { recordset } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import type { Projection } from './projection.ts';
import type { Version } from './versions.ts';

/** A stream of which a view does not contain some events, or none. */
export interface PassedStream {
  readonly view: string;
  /** Its name; `category-*` for all streams of other programs in a category. */
  readonly stream: string;
  /** The first stream of that name. */
  readonly example: string;
  /** The first reason: earlier events are missing from the log, or another program wrote the event. */
  readonly because: 'cut' | 'foreign';
  /** Number of events that were passed over. */
  readonly events: number;
}
type Passed = Omit<PassedStream, 'view'>;

/**
 * Returns the events that a version may apply, and records the streams whose events it passes over: an event of
 * another program, and every event after a gap, because no state follows from it.
 */
export const passOver = async (
  trx: Sql,
  { filter, whole = filter.categories ?? [] }: Projection,
  { view, version }: Version,
  schema: string,
  events: readonly RecordedEvent[],
): Promise<{ readonly applied: readonly RecordedEvent[]; readonly passed: readonly Passed[] }> => {
  const mustBeWhole = ({ stream }: RecordedEvent): boolean => whole.includes(categoryOf(stream));
  const read = await revisionsOf(trx, schema, events.filter(mustBeWhole));
  const readBefore = new Map(read);
  const passed = new Map<string, Passed>();
  const applied: RecordedEvent[] = [];
  for (const event of events) {
    const { stream, revision } = event;
    const last = read.get(stream) ?? -1n;
    const follows = !mustBeWhole(event) || revision <= last + 1n;
    const own = isOurs(event);
    // There may be thousands of streams that are another program's from their beginning.
    const name = own || last >= 0n ? stream : `${categoryOf(stream)}-*`;
    if (follows && mustBeWhole(event) && revision > last && name === stream) read.set(stream, revision);
    if (follows && own) applied.push(event);
    else {
      const because = own ? 'cut' : 'foreign';
      const before = passed.get(name) ?? { stream: name, example: stream, because, events: 0 };
      passed.set(name, { ...before, events: before.events + 1 });
    }
  }
  const moved = [...read].filter(([stream, revision]) => readBefore.get(stream) !== revision);
  await keepRevisions(trx, schema, moved);
  return { applied, passed: await record(trx, { view, version }, [...passed.values()]) };
};

/** Skips streams whose first event is among these. */
const revisionsOf = async (
  trx: Sql,
  schema: string,
  events: readonly RecordedEvent[],
): Promise<Map<string, bigint>> => {
  const begun = new Set<string>();
  const earlier = new Set<string>();
  for (const { stream, revision } of events) {
    if (revision === 0n) begun.add(stream);
    else if (!begun.has(stream)) earlier.add(stream);
  }
  if (earlier.size === 0) return new Map();
  const { rows } = await sql<{ readonly stream: string; readonly revision: number }>`
    select stream, revision from ${sql.id(schema, 'stream_revision')}
    where stream = any(${[...earlier]}::text[])`.execute(trx);
  return new Map(rows.map(({ stream, revision }) => [stream, BigInt(revision)]));
};

const keepRevisions = async (
  trx: Sql,
  schema: string,
  moved: readonly (readonly [stream: string, revision: bigint])[],
): Promise<void> => {
  if (moved.length === 0) return;
  const rows = moved.map(([stream, revision]) => ({ stream, revision: Number(revision) }));
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'stream_revision')} as s (stream, revision)
    select stream, revision from ${recordset(rows, 'r', { stream: 'text', revision: 'bigint' })}
    on conflict (stream) do update set revision = greatest(s.revision, excluded.revision)`);
};

/** Returns those that this version passes over for the first time. */
const record = async (
  trx: Sql,
  { view, version }: Pick<Version, 'view' | 'version'>,
  passed: readonly Passed[],
): Promise<readonly Passed[]> => {
  if (passed.length === 0) return [];
  const columns = { stream: 'text', example: 'text', because: 'text', events: 'bigint' };
  const { rows } = await sql<{ readonly stream: string; readonly isNew: boolean }>`
    insert into projection_passed_stream as p (view, version, stream, example, because, events)
    select ${view}, ${version}::int, stream, example, because, events from ${recordset(passed, 'r', columns)}
    on conflict (view, version, stream) do update set events = p.events + excluded.events
    returning stream, (xmax = 0) as is_new`.execute(trx);
  const isNew = new Set(rows.flatMap((row) => (row.isNew ? [row.stream] : [])));
  return passed.filter(({ stream }) => isNew.has(stream));
};

export const MEANING: { readonly [Because in PassedStream['because']]: string } = {
  cut: 'earlier events of it are missing from the event log',
  foreign: 'another program wrote to it',
};
/** Log lines for each batch; the others are only counted. */
const MAX_LINES = 20;

export const logPassed = (log: Pick<Logger, 'error'>, view: string, passed: readonly Passed[]): void => {
  for (const { example: stream, because } of passed.slice(0, MAX_LINES))
    log.error('a view passes over a stream', { view, stream, because: MEANING[because] });
  if (passed.length > MAX_LINES)
    log.error('a view passes over more streams', { view, more: passed.length - MAX_LINES });
};

/** What the live versions pass over, by view and stream. */
export const passedStreams = async (db: Sql): Promise<readonly PassedStream[]> =>
  db
    .selectFrom('projectionPassedStream as p')
    .innerJoin('projectionVersion as v', (join) =>
      join.onRef('v.view', '=', 'p.view').onRef('v.version', '=', 'p.version'),
    )
    .select(['p.view', 'p.stream', 'p.example', 'p.because', 'p.events'])
    .where('v.live', '=', true)
    .orderBy('p.view')
    .orderBy('p.stream')
    .execute();

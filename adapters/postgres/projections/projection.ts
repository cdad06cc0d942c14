import type { ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import type { EventFilter, Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import type { ViewName } from '../../../application/ports/read-gate.ts';
import type { RowFold } from '../../../application/read-models/row-folds.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { type Sql, column } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import { sql } from 'kysely';

/** Default maximum number of events per batch. */
export const DEFAULT_BATCH_SIZE = 2_000;

/**
 * A read model: tables in their own schema, filled from the feed.
 *
 * Every version of a view has its own schema (`catalog_v3`), so that a rebuild fills version n+1 next to the
 * live one. The tables of the live version are exposed as SQL views of the same names in schema `read`;
 * queries read only those.
 */
interface ProjectedView {
  readonly view: ViewName;
  /**
   * Increment it when tables or row functions change: the next start then builds a new version next to the
   * live one.
   */
  readonly shape: number;
  readonly filter: EventFilter;
  /** Maximum number of events per batch, which limits memory; default DEFAULT_BATCH_SIZE. */
  readonly batchSize?: number;
  /**
   * Categories whose streams the view must read whole, by default all of the filter: after a gap it passes over the
   * rest of a stream. Events of other streams mean the same without those before them. `isRelevant` must hold for
   * every event of these categories.
   */
  readonly whole?: readonly string[];
  /**
   * Whether events of this type can change the view; undefined means that all can. The checkpoint passes
   * other events without `apply`. Not called for types that this version does not know, because those may
   * mean anything.
   */
  readonly isRelevant?: (type: string) => boolean;
  /**
   * Whether `apply` accepts UnknownEvents of the filter's categories. Otherwise such an event halts the view.
   */
  readonly acceptsUnknown?: boolean;
  /** Tables that queries may read, as `read.<table>`. */
  readonly tables: readonly string[];
  /** Creates the empty tables in `schema`, which exists. */
  readonly create: (trx: Sql, schema: string) => Promise<void>;
  /** Deletes what `create` and `apply` have written outside of the schema, which is dropped next. */
  readonly drop?: (schema: string) => Promise<void>;
  /**
   * Where to go on, at or before the checkpoint: rows outside of this database may have been lost, or restored from a
   * backup.
   */
  readonly resumeFrom?: (schema: string, checkpoint: Position) => Promise<Position>;
  /**
   * Called in the process that moved the view, after events became visible in the live version and before
   * readers learn it. Must not throw.
   */
  readonly onMoved?: () => void;
}

/**
 * Applies a batch in position order, in the transaction that moves the checkpoint. An event that the rows already
 * include changes nothing. Throws if an event cannot be applied: then nothing of the batch is written.
 */
type Apply<Event> = (trx: Sql, schema: string, events: readonly Event[]) => Promise<void>;

/** A view of what events mean. */
export interface DecodedProjection extends ProjectedView {
  readonly apply: Apply<ProjectedEvent>;
}
/** A view of the log as it is stored: it is given events of every writer, after a gap too, and decodes none. */
export interface StoredProjection extends ProjectedView {
  readonly applyStored: Apply<RecordedEvent>;
}
export type Projection = DecodedProjection | StoredProjection;

/** A view with one row per key: a pure fold of the events with that key. */
export interface RowView<Row extends { readonly revision: bigint }> extends RowFold<Row> {
  readonly view: ViewName;
  readonly shape: number;
  /** Columns for lookups, in addition to `id`, `revision` and `doc`: name → SQL type. */
  readonly columns: { readonly [name: string]: string };
  /** Bodies of indexes, such as `(tenant, kind, id desc)`. */
  readonly indexes: readonly string[];
  readonly columnsOf: (row: Row) => { readonly [name: string]: string | number | null };
  /** The list that counts this row, or null: stored in `<view>_count`, so that totals need no COUNT(*). */
  readonly countedIn: (row: Row) => { readonly tenant: string; readonly list: string } | null;
}

/** A stored row: its document and its revision. */
export interface StoredRow<Row> {
  readonly doc: Omit<Row, 'revision'>;
  readonly revision: number;
}

/** Restores the folded row. */
export const rowOf = <Row extends { readonly revision: bigint }>({ doc, revision }: StoredRow<Row>): Row =>
  ({ ...doc, revision: BigInt(revision) }) as unknown as Row;

export const createRowProjection = <Row extends { readonly revision: bigint }>(
  spec: RowView<Row>,
): DecodedProjection => ({
  view: spec.view,
  shape: spec.shape,
  filter: spec.filter,
  acceptsUnknown: spec.acceptsUnknown ?? false,
  tables: [spec.view, `${spec.view}_count`],
  create: (trx, schema) => create(trx, schema, spec),
  apply: async (trx, schema, events) => {
    const keys = [...new Set(events.map(spec.keyOf))];
    const before = await load<Row>(trx, schema, spec.view, keys);
    const after = new Map(before);
    for (const event of events) {
      const row = spec.fold(after.get(spec.keyOf(event)) ?? null, event);
      if (row === null) after.delete(spec.keyOf(event));
      else after.set(spec.keyOf(event), row);
    }
    await save(trx, schema, spec, keys, before, after);
    await count(trx, schema, spec, before, after);
  },
});

const create = async <Row extends { readonly revision: bigint }>(
  trx: Sql,
  schema: string,
  { view, columns, indexes }: RowView<Row>,
): Promise<void> => {
  const extra = Object.entries(columns).map(([name, type]) => sql`, ${column(name)} ${sql.raw(type)}`);
  await sql`create table ${sql.id(schema, view)} (
    id uuid primary key, revision bigint not null, doc jsonb not null ${sql.join(extra, sql``)})`.execute(
    trx,
  );
  for (const body of indexes)
    await sql`create index on ${sql.id(schema, view)} ${sql.raw(body)}`.execute(trx);
  await sql`create table ${sql.id(schema, `${view}_count`)} (
    tenant text, list text, n bigint not null, primary key (tenant, list))`.execute(trx);
};

const load = async <Row extends { readonly revision: bigint }>(
  trx: Sql,
  schema: string,
  view: string,
  keys: readonly string[],
): Promise<Map<string, Row>> => {
  const { rows } = await sql<StoredRow<Row> & { readonly id: string }>`
    select id, revision, doc from ${sql.id(schema, view)} where id = any(${keys}::uuid[])`.execute(trx);
  return new Map(rows.map((stored) => [stored.id, rowOf<Row>(stored)]));
};

const save = async <Row extends { readonly revision: bigint }>(
  trx: Sql,
  schema: string,
  { view, columns, columnsOf }: RowView<Row>,
  keys: readonly string[],
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): Promise<void> => {
  const deletedKeys = keys.filter((key) => before.has(key) && !after.has(key));
  const changed = keys.filter((key) => after.has(key) && after.get(key) !== before.get(key));
  const table = sql.id(schema, view);
  const send = withCommit(trx);
  if (deletedKeys.length > 0) await send(sql`delete from ${table} where id = any(${deletedKeys}::uuid[])`);
  if (changed.length === 0) return;
  const rows = changed.map((id) => {
    const { revision, ...doc } = after.get(id) as Row;
    return { id, revision: Number(revision), doc, ...columnsOf(after.get(id) as Row) };
  });
  const names = ['revision', 'doc', ...Object.keys(columns)];
  const types = { id: 'uuid', revision: 'bigint', doc: 'jsonb', ...columns };
  const shape = Object.entries(types).map(([name, type]) => sql`${column(name)} ${sql.raw(type)}`);
  const list = sql.join(names.map((name) => column(name)));
  const set = sql.join(names.map((name) => sql`${column(name)} = excluded.${column(name)}`));
  await send(sql`insert into ${table} (id, ${list})
    select id, ${list} from jsonb_to_recordset(${JSON.stringify(snakeKeys(rows))}::jsonb) as r(${sql.join(shape)})
    on conflict (id) do update set ${set}`);
};

const count = async <Row extends { readonly revision: bigint }>(
  trx: Sql,
  schema: string,
  { view, countedIn }: RowView<Row>,
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): Promise<void> => {
  const deltas = new Map<string, { tenant: string; list: string; n: number }>();
  const add = (row: Row, by: number): void => {
    const counted = countedIn(row);
    if (counted === null) return;
    const key = JSON.stringify([counted.tenant, counted.list]);
    deltas.set(key, { ...counted, n: (deltas.get(key)?.n ?? 0) + by });
  };
  for (const row of before.values()) add(row, -1);
  for (const row of after.values()) add(row, 1);
  const changed = [...deltas.values()].filter(({ n }) => n !== 0);
  if (changed.length === 0) return;
  const table = sql.id(schema, `${view}_count`);
  await withCommit(trx)(sql`insert into ${table} as c (tenant, list, n)
    select tenant, list, n from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as r(tenant text, list text, n bigint)
    on conflict (tenant, list) do update set n = c.n + excluded.n`);
};

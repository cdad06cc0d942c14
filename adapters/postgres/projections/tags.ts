import type { ProjectedEvent } from '../../../application/event-sourcing/aggregates.ts';
import {
  type TagBindingRow,
  type TagRow,
  type TagRows,
  isTagEvent,
  tagRows,
} from '../../../application/read-models/tag-rows.ts';
import { recordset } from '../bulk-values.ts';
import { type Sql, column } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import type { DecodedProjection } from './projection.ts';
import { type RawBuilder, sql } from 'kysely';

const isRelevant = (type: string): boolean => isTagEvent({ type }) || type === 'DataSourceDeletionRequested';

const TAG_TABLES: readonly string[] = ['tag', 'tag_binding', 'tag_count', 'tag_gone_group'];

/** Columns for bulk writes. */
const TAG_COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  name: 'text',
  description: 'text',
  createdAt: 'bigint',
  sourceGroupCount: 'int',
  deleted: 'boolean',
  revision: 'bigint',
} as const;
const BINDING_COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  tagId: 'uuid',
  sourceGroupId: 'uuid',
  createdAt: 'bigint',
  gone: 'boolean',
} as const;

/**
 * - `tag`: one row per tag, including deleted ones, so that cursors stay valid; `tag_binding` likewise.
 * - `tag_count`: totals of the lists `tag` and `tag_binding`.
 * - `tag_gone_group`: data sources whose deletion was requested.
 */
const createTagTables = async (trx: Sql, schema: string): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  await sql`create table ${table('tag')} (
    id uuid primary key,
    tenant text collate "C" not null,
    name text collate "C" not null,
    description text not null,
    created_at bigint not null,
    source_group_count int not null,
    deleted boolean not null,
    revision bigint not null)`.execute(trx);
  await sql`create index on ${table('tag')} (tenant, id desc)`.execute(trx);
  await sql`create index on ${table('tag')} (tenant, name) where not deleted`.execute(trx);
  await sql`create table ${table('tag_binding')} (
    id uuid primary key,
    tenant text collate "C" not null,
    tag_id uuid not null,
    source_group_id uuid not null,
    created_at bigint not null,
    gone boolean not null)`.execute(trx);
  await sql`create index on ${table('tag_binding')} (tenant, id desc)`.execute(trx);
  await sql`create index on ${table('tag_binding')} (tag_id)`.execute(trx);
  await sql`create index on ${table('tag_binding')} (source_group_id)`.execute(trx);
  await sql`create table ${table('tag_count')} (
    tenant text, list text, n bigint not null, primary key (tenant, list))`.execute(trx);
  await sql`create table ${table('tag_gone_group')} (
    source_group_id uuid primary key)`.execute(trx);
};

/** Loads the rows that the events name, and the bindings that end with them. */
const loadTagRows = async (trx: Sql, schema: string, events: readonly ProjectedEvent[]): Promise<TagRows> => {
  const named = namedBy(events);
  const table = (name: string) => sql.id(schema, name);
  const endsBindings = named.deletedTags.length + named.deletedGroups.length > 0;
  // Most batches contain only new tags: skip queries that cannot find anything.
  const rowsOf = async <Row>(mayFind: boolean, statement: RawBuilder<Row>): Promise<readonly Row[]> =>
    mayFind ? (await statement.execute(trx)).rows : [];
  const bindings = await rowsOf(
    named.bindings.length > 0 || endsBindings,
    sql<TagBindingRow>`
    select id, tenant, tag_id, source_group_id, created_at, gone from ${table('tag_binding')}
    where id = any(${named.bindings}::uuid[]) or (not gone and
      (tag_id = any(${named.deletedTags}::uuid[]) or source_group_id = any(${named.deletedGroups}::uuid[])))`,
  );
  const tagIds = [...new Set([...named.tags, ...bindings.map(({ tagId }) => tagId)])];
  const tags = await rowsOf(
    tagIds.length > 0,
    sql<Omit<TagRow, 'revision'> & { readonly revision: number }>`
    select id, tenant, name, description, created_at, source_group_count, deleted, revision from ${table('tag')}
    where id = any(${tagIds}::uuid[])`,
  );
  const groups = [...named.boundGroups, ...named.deletedGroups];
  const gone = await rowsOf(
    groups.length > 0,
    sql<{ readonly id: string }>`
    select source_group_id as id from ${table('tag_gone_group')} where source_group_id = any(${groups}::uuid[])`,
  );
  return {
    tags: new Map(tags.map((tag) => [tag.id, { ...tag, revision: BigInt(tag.revision) }])),
    bindings: new Map(bindings.map((binding) => [binding.id, binding])),
    deletedGroups: new Set(gone.map(({ id }) => id)),
  };
};

const namedBy = (events: readonly ProjectedEvent[]) => {
  const tags: string[] = [];
  const deletedTags: string[] = [];
  const bindings: string[] = [];
  const boundGroups: string[] = [];
  const deletedGroups: string[] = [];
  for (const { event, streamId } of events) {
    if ('tagId' in event) tags.push(event.tagId);
    if ('bindingId' in event) bindings.push(event.bindingId);
    if (event.type === 'TagDeleted') deletedTags.push(event.tagId);
    if (event.type === 'TagBound') boundGroups.push(event.sourceGroupId);
    if (event.type === 'DataSourceDeletionRequested') deletedGroups.push(streamId);
  }
  return { tags, deletedTags, bindings, boundGroups, deletedGroups };
};

/** Writes the changes of the fold and updates the counters. */
const writeTagRows = async (trx: Sql, schema: string, before: TagRows, after: TagRows): Promise<void> => {
  const tags = changed(before.tags, after.tags).map((tag) => ({ ...tag, revision: Number(tag.revision) }));
  const bindings = changed(before.bindings, after.bindings);
  await upsert(trx, schema, 'tag', tags, TAG_COLUMNS);
  await upsert(trx, schema, 'tag_binding', bindings, BINDING_COLUMNS);
  await remember(trx, schema, [...after.deletedGroups.difference(before.deletedGroups)]);
  const moved = new Map<string, number>();
  const move = (tenant: string, list: string, by: number): void => {
    const key = JSON.stringify([tenant, list]);
    moved.set(key, (moved.get(key) ?? 0) + by);
  };
  for (const { tenant, deleted } of before.tags.values()) move(tenant, 'tag', deleted ? 0 : -1);
  for (const { tenant, deleted } of after.tags.values()) move(tenant, 'tag', deleted ? 0 : 1);
  for (const { tenant, gone } of before.bindings.values()) move(tenant, 'tag_binding', gone ? 0 : -1);
  for (const { tenant, gone } of after.bindings.values()) move(tenant, 'tag_binding', gone ? 0 : 1);
  await count(trx, schema, moved);
};

const changed = <Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): readonly Row[] =>
  [...after].flatMap(([id, row]) => (row === before.get(id) ? [] : [row]));

const upsert = async <Name extends string>(
  trx: Sql,
  schema: string,
  table: string,
  rows: readonly { readonly [name in NoInfer<Name>]: unknown }[],
  columns: { readonly [name in Name]: string },
): Promise<void> => {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const list = sql.join(names.map((name) => column(name)));
  const set = sql.join(names.map((name) => sql`${column(name)} = excluded.${column(name)}`));
  await withCommit(trx)(sql`insert into ${sql.id(schema, table)} (${list})
    select ${list} from ${recordset(rows, 'r', columns)}
    on conflict (id) do update set ${set}`);
};

const remember = async (trx: Sql, schema: string, groups: readonly string[]): Promise<void> => {
  if (groups.length === 0) return;
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'tag_gone_group')} (source_group_id)
    select unnest(${groups}::uuid[]) on conflict do nothing`);
};

const count = async (trx: Sql, schema: string, moved: ReadonlyMap<string, number>): Promise<void> => {
  const rows = [...moved].flatMap(([key, n]) => {
    const [tenant, list] = JSON.parse(key) as [string, string];
    return n === 0 ? [] : [{ tenant, list, n }];
  });
  if (rows.length === 0) return;
  const columns = { tenant: 'text', list: 'text', n: 'bigint' };
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'tag_count')} as c (tenant, list, n)
    select tenant, list, n from ${recordset(rows, 'r', columns)}
    on conflict (tenant, list) do update set n = c.n + excluded.n`);
};

/**
 * Tags and their bindings to source groups, with exact counters. The deletion of a data source ends its
 * bindings here and is stored: a binding that was decided before its command saw the deletion is not shown.
 */
export const tagProjection: DecodedProjection = {
  view: 'tag',
  shape: 2,
  // Not by type: events of a newer version would be skipped silently.
  filter: { categories: ['tag', 'dataSource'] },
  whole: ['tag'],
  tables: TAG_TABLES,
  create: createTagTables,
  isRelevant,
  apply: async (trx, schema, projected) => {
    const events = projected.filter(({ event }) => isRelevant(event.type));
    if (events.length === 0) return;
    const before = await loadTagRows(trx, schema, events);
    await writeTagRows(trx, schema, before, tagRows(before, events));
  },
};

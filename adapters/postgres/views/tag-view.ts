import { type RawBuilder, sql } from 'kysely';
import type { GroupScope } from '../../../application/ports/catalog.ts';
import type { TagBindingRecord, TagRecord, TagView } from '../../../application/ports/source-group-view.ts';
import { countOf, pageOf, cursorRow } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import { anyOf, type Sql } from '../database-schema.ts';
import { uuids } from '../catalog/conditions.ts';
import { dataSourceTombstones } from '../read-your-writes/conditions.ts';

export const createTagView = (db: Sql): TagView => ({
  get: async (scope, id) => (await tags(db, scope, sql<boolean>`t.id = ${id}`, 1))[0] ?? null,

  list: (scope, page) =>
    readSnapshot(db, async (trx) => {
      const known = (id: string) => sql<{ id: string }>`
      select t.id from read.tag t where t.id = ${id} and t.tenant = ${scope.tenant} and ${seen(scope, ACTIVE_OR_ENDED)}`;
      const cursor = await cursorRow(trx, page.after, known);
      const found = await tags(trx, scope, after(cursor, sql`t.id`), page.limit + 1);
      const counted = sql<{ n: number }>`
      select count(*) as n from read.tag t
      where t.tenant = ${scope.tenant} and not t.deleted and ${seen(scope, isActive(scope))}`;
      return pageOf(found, page, await total(trx, scope, 'tag', counted));
    }),

  getBinding: async (scope, id) => (await bindings(db, scope, sql<boolean>`b.id = ${id}`, 1))[0] ?? null,

  listBindings: (scope, page) =>
    readSnapshot(db, async (trx) => {
      const known = (id: string) => sql<{ id: string }>`
      select b.id from read.tag_binding b where b.id = ${id} and ${within(scope)}`;
      const cursor = await cursorRow(trx, page.after, known);
      const found = await bindings(trx, scope, after(cursor, sql`b.id`), page.limit + 1);
      const counted = sql<{ n: number }>`
      select count(*) as n from read.tag_binding b where ${within(scope)} and ${isActive(scope)}`;
      return pageOf(found, page, await total(trx, scope, 'tag_binding', counted));
    }),

  deletedAmong: async (ids) => {
    const rows = await db
      .selectFrom('read.tagGoneGroup')
      .select('sourceGroupId')
      .where('sourceGroupId', '=', anyOf(ids, 'uuid'))
      .execute();
    return new Set(rows.map(({ sourceGroupId }) => sourceGroupId));
  },
});

/** Excludes groups with a tombstone: this view may not contain their deletion yet. */
const isActive = ({ tenant }: GroupScope): RawBuilder<boolean> =>
  sql<boolean>`(not b.gone and b.source_group_id <> all(${dataSourceTombstones(tenant)}))`;
/** Includes ended bindings: a caller that saw one may continue from it. */
const ACTIVE_OR_ENDED = sql<boolean>`true`;

/** Bindings of the groups in the scope. */
const within = ({ tenant, only }: GroupScope): RawBuilder<boolean> =>
  sql<boolean>`(b.tenant = ${tenant}
    and ${only === null ? sql`true` : sql`b.source_group_id = any(${uuids(only)}::uuid[])`})`;

/** A restricted scope sees the tags of its groups. */
const seen = (scope: GroupScope, when: RawBuilder<boolean>): RawBuilder<boolean> =>
  scope.only === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from read.tag_binding b where b.tag_id = t.id and ${within(scope)} and ${when})`;

const after = (cursor: { readonly id: string } | null, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  cursor === null ? sql<boolean>`true` : sql<boolean>`${id} < ${cursor.id}::uuid`;

const tags = async (
  db: Sql,
  scope: GroupScope,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<readonly TagRecord[]> => {
  const groups =
    scope.only === null
      ? sql`(t.source_group_count - (select count(*)::int from read.tag_binding b
          where b.tag_id = t.id and not b.gone and b.source_group_id = any(${dataSourceTombstones(scope.tenant)})))`
      : sql`(select count(*)::int from read.tag_binding b where b.tag_id = t.id and ${isActive(scope)} and ${within(scope)})`;
  const { rows } = await sql<TagRecord>`
    select t.id, t.name, t.description, t.created_at, ${groups} as source_group_count from read.tag t
    where t.tenant = ${scope.tenant} and not t.deleted and ${seen(scope, isActive(scope))} and ${condition}
    order by t.id desc limit ${limit}`.execute(db);
  return rows;
};

const bindings = async (
  db: Sql,
  scope: GroupScope,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<readonly TagBindingRecord[]> => {
  const { rows } = await sql<TagBindingRecord>`
    select b.id, b.tag_id, b.source_group_id, b.created_at from read.tag_binding b
    where ${within(scope)} and ${isActive(scope)} and ${condition}
    order by b.id desc limit ${limit}`.execute(db);
  return rows;
};

/** From the counter; a restricted key has few groups, whose rows are counted. */
const total = (
  db: Sql,
  { tenant, only }: GroupScope,
  list: string,
  counted: RawBuilder<{ n: number }>,
): Promise<number> =>
  countOf(
    db,
    only === null
      ? sql<{ n: number }>`select n - ${list === 'tag' ? sql`0` : tombstonedBindings(tenant)} as n
          from read.tag_count where tenant = ${tenant} and list = ${list}`
      : counted,
  );

/** Bindings that the counter includes but tombstones hide. */
const tombstonedBindings = (tenant: string): RawBuilder<number> => sql<number>`(
  select count(*) from read.tag_binding b
  where b.tenant = ${tenant} and not b.gone and b.source_group_id = any(${dataSourceTombstones(tenant)}))`;

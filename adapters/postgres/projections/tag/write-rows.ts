import { sql } from 'kysely';
import { type Sql, column } from '../../database-schema.ts';
import type { TagRows } from '../../../../application/read-models/tag-rows.ts';
import { recordset } from '../../bulk-values.ts';
import { withCommit } from '../../transaction.ts';
import { BINDING_COLUMNS, TAG_COLUMNS } from './tables.ts';

/** Writes what the fold changed, and moves the counters by the difference. */
export const writeTagRows = async (
  trx: Sql,
  schema: string,
  before: TagRows,
  after: TagRows,
): Promise<void> => {
  const tags = changed(before.tags, after.tags).map((tag) => ({ ...tag, revision: Number(tag.revision) }));
  const bindings = changed(before.bindings, after.bindings);
  await upsert(trx, schema, 'tag', tags, TAG_COLUMNS);
  await upsert(trx, schema, 'tag_binding', bindings, BINDING_COLUMNS);
  await remember(trx, schema, [...after.goneGroups.difference(before.goneGroups)]);
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

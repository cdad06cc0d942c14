import { sql } from 'kysely';
import type { Sql } from '../../database-schema.ts';

export const TAG_TABLES: readonly string[] = ['tag', 'tag_binding', 'tag_count', 'tag_gone_group'];

/** Columns as they are written, in bulk. */
export const TAG_COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  name: 'text',
  description: 'text',
  createdAt: 'bigint',
  sourceGroupCount: 'int',
  deleted: 'boolean',
  revision: 'bigint',
} as const;
export const BINDING_COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  tagId: 'uuid',
  sourceGroupId: 'uuid',
  createdAt: 'bigint',
  gone: 'boolean',
} as const;

/**
 * - `tag`: one row per tag, deleted ones included, so that cursors stay valid; `tag_binding` likewise.
 * - `tag_count`: totals of the lists `tag` and `tag_binding`.
 * - `tag_gone_group`: data sources whose deletion was requested.
 */
export const createTagTables = async (trx: Sql, schema: string): Promise<void> => {
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

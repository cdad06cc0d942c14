import { sql } from 'kysely';
import type { Sql } from '../../sql.ts';
import type { ChangedSource } from './changed-sources.ts';
import { recordset } from './recordset.ts';

const COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  data_source_id: 'uuid',
  source_type: 'text',
  locator: 'text',
  url: 'text',
  title: 'text',
  status: 'text',
  skip_reason: 'text',
  error: 'jsonb',
  indexed: 'jsonb',
  keywords: 'jsonb',
  content_count: 'int',
  content_missing: 'boolean',
  generation: 'bigint',
  last_seen_at: 'bigint',
  revision: 'bigint',
} as const;

/** Numbers of the sources by id. */
export type SourceNumbers = ReadonlyMap<string, number>;

export const writeSources = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
): Promise<SourceNumbers> => {
  if (changed.length === 0) return new Map();
  const rows = changed.map(({ row, after }) => ({
    ...row,
    revision: Number(row.revision),
    keywords: after.keywords,
    content_count: after.contents.length,
    content_missing: after.content_missing,
  }));
  const names = Object.keys(COLUMNS);
  const list = sql.join(names.map((name) => sql.id(name)));
  const set = sql.join(names.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`));
  const written = await sql<{ id: string; no: number }>`
    insert into ${sql.id(schema, 'source')} (${list})
    select ${list} from ${recordset(rows, 'r', COLUMNS)}
    on conflict (id) do update set ${set} returning id, no`.execute(trx);
  return new Map(written.rows.map(({ id, no }) => [id, no]));
};

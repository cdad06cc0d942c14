import { sql } from 'kysely';
import { type Sql, column } from '../../database-schema.ts';
import type { ChangedSource } from './changed-sources.ts';
import { recordset } from '../../bulk-values.ts';

const COLUMNS = {
  id: 'uuid',
  tenant: 'text',
  dataSourceId: 'uuid',
  sourceType: 'text',
  locator: 'text',
  url: 'text',
  title: 'text',
  status: 'text',
  skipReason: 'text',
  error: 'jsonb',
  indexed: 'jsonb',
  keywords: 'jsonb',
  contentCount: 'int',
  contentMissing: 'boolean',
  generation: 'bigint',
  lastSeenAt: 'bigint',
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
    contentCount: after.contents.length,
    contentMissing: after.contentMissing,
  }));
  const names = Object.keys(COLUMNS);
  const list = sql.join(names.map((name) => column(name)));
  const set = sql.join(names.map((name) => sql`${column(name)} = excluded.${column(name)}`));
  const written = await sql<{ id: string; no: number }>`
    insert into ${sql.id(schema, 'source')} (${list})
    select ${list} from ${recordset(rows, 'r', COLUMNS)}
    on conflict (id) do update set ${set} returning id, no`.execute(trx);
  return new Map(written.rows.map(({ id, no }) => [id, no]));
};

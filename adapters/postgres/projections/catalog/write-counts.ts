import { sql } from 'kysely';
import { type Sql, column } from '../../database-schema.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import { withCommit } from '../../transaction.ts';
import type { ChangedSource } from './changed-sources.ts';
import { recordset } from '../../bulk-values.ts';

const COLUMNS = {
  tenant: 'text',
  dataSourceId: 'uuid',
  sourceType: 'text',
  fileType: 'text',
  sources: 'bigint',
  contents: 'bigint',
} as const;

interface Count {
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: string;
  /** Empty for a source of which nothing is readable. */
  readonly fileType: string;
  readonly sources: number;
  readonly contents: number;
}

/** Totals of lists; removed sources do not count. Hidden data sources count here and are left out when read. */
export const writeCounts = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
): Promise<void> => {
  const counts = new Map<string, Count>();
  for (const { row, before, after } of changed) {
    if (before !== null) add(counts, before.row, -1, before.contents.length);
    add(counts, row, 1, after.contents.length);
  }
  const rows = [...counts.values()].filter(({ sources, contents }) => sources !== 0 || contents !== 0);
  if (rows.length === 0) return;
  const list = sql.join(Object.keys(COLUMNS).map((name) => column(name)));
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'source_count')} as c (${list})
    select ${list} from ${recordset(rows, 'r', COLUMNS)}
    on conflict (tenant, data_source_id, source_type, file_type)
    do update set sources = c.sources + excluded.sources, contents = c.contents + excluded.contents`);
};

const add = (counts: Map<string, Count>, row: SourceRow, sign: 1 | -1, contents: number): void => {
  if (row.status === 'removed') return;
  const { tenant, dataSourceId, sourceType, indexed } = row;
  const of = { tenant, dataSourceId, sourceType, fileType: indexed?.fileType ?? '' };
  const key = JSON.stringify(of);
  const known = counts.get(key) ?? { ...of, sources: 0, contents: 0 };
  counts.set(key, { ...known, sources: known.sources + sign, contents: known.contents + sign * contents });
};

import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import { recordset } from '../../bulk-values.ts';
import { type Sql, column } from '../../database-schema.ts';
import { forgetContents } from '../../postings/forget-contents.ts';
import type { Stems } from '../../postings/stems.ts';
import { withCommit } from '../../transaction.ts';
import type { FoldedBatch, HiddenDataSource, StoredBatch } from './batch.ts';
import { type ChangedSource, changedSources, type SourceNumbers } from './changed-sources.ts';
import { deleteContents, insertContents, updateContents, writeTexts } from './write-contents.ts';
import { writeMetadata } from './write-metadata.ts';
import { sql } from 'kysely';

/**
 * Writes the changes of the fold in bulk; without stems, the lexical index stays empty. The order matters: contents leave the lexical index while their
 * rows and the old hidden data sources still exist, and new contents enter it after the new ones are known.
 */
export const writeBatch = async (
  trx: Sql,
  schema: string,
  stems: Stems | null,
  before: StoredBatch,
  after: FoldedBatch,
): Promise<void> => {
  const changed = changedSources(before, after);
  await deleteContents(trx, schema, stems, changed, before.hidden);
  await hideDataSources(trx, schema, stems, before.hidden, after.hidden);
  await purgeDataSources(trx, schema, before.hidden, after.hidden);
  const numbers = await writeSources(trx, schema, changed);
  await updateContents(trx, schema, changed);
  await writeTexts(trx, schema, changed, numbers);
  await insertContents(trx, schema, stems, changed, numbers, after.hidden);
  await writeMetadata(trx, schema, changed, numbers);
  await writeCounts(trx, schema, changed);
};

const SOURCE_COLUMNS = {
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

const writeSources = async (
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
  const names = Object.keys(SOURCE_COLUMNS);
  const list = sql.join(names.map((name) => column(name)));
  const set = sql.join(names.map((name) => sql`${column(name)} = excluded.${column(name)}`));
  const written = await sql<{ id: string; no: number }>`
    insert into ${sql.id(schema, 'source')} (${list})
    select ${list} from ${recordset(rows, 'r', SOURCE_COLUMNS)}
    on conflict (id) do update set ${set} returning id, no`.execute(trx);
  return new Map(written.rows.map(({ id, no }) => [id, no]));
};

const COUNT_COLUMNS = {
  tenant: 'text',
  dataSourceId: 'uuid',
  sourceType: 'text',
  fileType: 'text',
  sources: 'bigint',
  contents: 'bigint',
  bytes: 'bigint',
} as const;

interface Count {
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: string;
  /** Empty for a source without readable content. */
  readonly fileType: string;
  readonly sources: number;
  readonly contents: number;
  readonly bytes: number;
}

/**
 * Updates the totals of lists; removed sources do not count. Hidden data sources count here and are excluded
 * when read.
 */
const writeCounts = async (trx: Sql, schema: string, changed: readonly ChangedSource[]): Promise<void> => {
  const counts = new Map<string, Count>();
  for (const { row, before, after } of changed) {
    if (before !== null) add(counts, before.row, -1, before.contents.length);
    add(counts, row, 1, after.contents.length);
  }
  const rows = [...counts.values()].filter(
    ({ sources, contents, bytes }) => sources !== 0 || contents !== 0 || bytes !== 0,
  );
  if (rows.length === 0) return;
  const list = sql.join(Object.keys(COUNT_COLUMNS).map((name) => column(name)));
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'source_count')} as c (${list})
    select ${list} from ${recordset(rows, 'r', COUNT_COLUMNS)}
    on conflict (tenant, data_source_id, source_type, file_type)
    do update set sources = c.sources + excluded.sources, contents = c.contents + excluded.contents,
      bytes = c.bytes + excluded.bytes`);
  if (!rows.some(({ sources, contents }) => sources < 0 || contents < 0)) return;
  // A rebuild has no row either.
  await withCommit(trx)(sql`delete from ${sql.id(schema, 'source_count')} c
    using ${recordset(rows, 'r', COUNT_COLUMNS)}
    where c.tenant = r.tenant and c.data_source_id = r.data_source_id and c.sources = 0 and c.contents = 0`);
};

const add = (counts: Map<string, Count>, row: SourceRow, sign: 1 | -1, contents: number): void => {
  if (row.status === 'removed') return;
  const { tenant, dataSourceId, sourceType, indexed } = row;
  const of = { tenant, dataSourceId, sourceType, fileType: indexed?.fileType ?? '' };
  const key = JSON.stringify(of);
  const known = counts.get(key) ?? { ...of, sources: 0, contents: 0, bytes: 0 };
  counts.set(key, {
    ...of,
    sources: known.sources + sign,
    contents: known.contents + sign * contents,
    bytes: known.bytes + sign * (indexed?.rawBytes ?? 0),
  });
};

type Hidden = StoredBatch['hidden'];

/**
 * Marks data sources as hidden and removes their contents from the lexical index; the rows stay until their
 * sources are removed.
 */
const hideDataSources = async (
  trx: Sql,
  schema: string,
  stems: Stems | null,
  before: Hidden,
  after: Hidden,
): Promise<void> => {
  const changed = [...after.values()].filter((mark) => mark !== before.get(mark.dataSourceId));
  if (changed.length === 0) return;
  const columns = { dataSourceId: 'uuid', tenant: 'text', deleted: 'boolean' };
  await sql`insert into ${sql.id(schema, 'hidden_data_source')} (data_source_id, tenant, deleted)
    select data_source_id, tenant, deleted from ${recordset(changed, 'r', columns)}
    on conflict (data_source_id) do update set deleted = excluded.deleted`.execute(trx);
  const fresh = idsOf(changed.filter(({ dataSourceId }) => !before.has(dataSourceId)));
  if (fresh.length > 0 && stems !== null)
    await forgetContents(trx, schema, stems, sql`c.data_source_id = any(${fresh}::uuid[])`);
};

/**
 * Deletes every row of newly deleted data sources; their mark stays, so that late events do not restore them.
 */
const purgeDataSources = async (trx: Sql, schema: string, before: Hidden, after: Hidden): Promise<void> => {
  const deleted = [...after.values()].filter(
    (mark) => mark.deleted && !before.get(mark.dataSourceId)?.deleted,
  );
  if (deleted.length === 0) return;
  const table = (name: string) => sql.id(schema, name);
  const owned = sql`where data_source_id = any(${idsOf(deleted)}::uuid[])`;
  await sql`delete from ${table('content_metadata')} where content_no in (
    select no from ${table('content')} ${owned})`.execute(trx);
  await sql`delete from ${table('content')} ${owned}`.execute(trx);
  for (const side of ['text_block', 'source_metadata'])
    await sql`delete from ${table(side)} where source_no in (
      select no from ${table('source')} ${owned})`.execute(trx);
  await sql`delete from ${table('source')} ${owned}`.execute(trx);
  await sql`delete from ${table('source_count')} ${owned}`.execute(trx);
};

const idsOf = (marks: readonly HiddenDataSource[]): readonly string[] =>
  marks.map(({ dataSourceId }) => dataSourceId);

import { sql } from 'kysely';
import { forgetContents } from '../../postings/forget-contents.ts';
import type { Stems } from '../../postings/stems.ts';
import type { Sql } from '../../database-schema.ts';
import type { HiddenDataSource, StoredBatch } from './batch.ts';
import { recordset } from '../../bulk-values.ts';

type Hidden = StoredBatch['hidden'];

/** Marks them, and takes their contents out of the lexical index; the rows stay until their sources are removed. */
export const hideDataSources = async (
  trx: Sql,
  schema: string,
  stems: Stems,
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
  if (fresh.length > 0)
    await forgetContents(trx, schema, stems, sql`c.data_source_id = any(${fresh}::uuid[])`);
};

/** Deletes every row of data sources that are deleted now; their mark stays, so that nothing late brings them back. */
export const purgeDataSources = async (
  trx: Sql,
  schema: string,
  before: Hidden,
  after: Hidden,
): Promise<void> => {
  const deleted = [...after.values()].filter(
    (mark) => mark.deleted && !before.get(mark.dataSourceId)?.deleted,
  );
  if (deleted.length === 0) return;
  const table = (name: string) => sql.id(schema, name);
  const owned = sql`where data_source_id = any(${idsOf(deleted)}::uuid[])`;
  const contents = sql`select no from ${table('content')} ${owned}`;
  await sql`delete from ${table('content_text')} where content_no in (${contents})`.execute(trx);
  await sql`delete from ${table('content_metadata')} where content_no in (${contents})`.execute(trx);
  await sql`delete from ${table('content')} ${owned}`.execute(trx);
  await sql`delete from ${table('source_metadata')} where source_no in (
    select no from ${table('source')} ${owned})`.execute(trx);
  await sql`delete from ${table('source')} ${owned}`.execute(trx);
  await sql`delete from ${table('source_count')} ${owned}`.execute(trx);
};

const idsOf = (marks: readonly HiddenDataSource[]): readonly string[] =>
  marks.map(({ dataSourceId }) => dataSourceId);

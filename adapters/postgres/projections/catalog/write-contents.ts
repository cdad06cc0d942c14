import { sql } from 'kysely';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import { forgetContents } from '../../postings/forget-contents.ts';
import type { Stems } from '../../postings/stems.ts';
import type { Sql } from '../../database-schema.ts';
import type { StoredBatch } from './batch.ts';
import type { ChangedSource } from './changed-sources.ts';
import { recordset } from '../../bulk-values.ts';
import { replaceContentMetadata } from './write-metadata.ts';

/** Contents of a data source that is hidden already have left the lexical index with it. */
export const deleteContents = async (
  trx: Sql,
  schema: string,
  stems: Stems,
  changed: readonly ChangedSource[],
  hidden: StoredBatch['hidden'],
): Promise<void> => {
  const numbers = (sources: readonly ChangedSource[]): readonly number[] =>
    sources.flatMap(({ contents }) => contents.gone.map(({ no }) => no));
  const gone = numbers(changed);
  if (gone.length === 0) return;
  const indexed = numbers(changed.filter(({ row }) => !hidden.has(row.dataSourceId)));
  if (indexed.length > 0) await forgetContents(trx, schema, stems, sql`c.no = any(${indexed}::bigint[])`);
  await sql`delete from ${sql.id(schema, 'content')} where no = any(${gone}::bigint[])`.execute(trx);
  for (const side of ['content_text', 'content_metadata']) {
    await sql`delete from ${sql.id(schema, side)} where content_no = any(${gone}::bigint[])`.execute(trx);
  }
};

/** Contents that stay: their place in the document, the page and the lines with it, and what they repeat of their source. */
export const updateContents = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
): Promise<void> => {
  const content = sql.id(schema, 'content');
  const moved = changed.flatMap(({ contents }) =>
    contents.moved.map(({ before: { no }, after }) => ({ ...after, no })),
  );
  if (moved.length > 0) {
    const columns = { no: 'bigint', ord: 'int', pageNumber: 'int', lines: 'jsonb', timestamp: 'bigint' };
    await sql`update ${content} c set ord = r.ord, page_number = r.page_number, lines = r.lines,
        timestamp = r.timestamp
      from ${recordset(moved, 'r', columns)} where c.no = r.no`.execute(trx);
  }
  const onOtherPage = changed.flatMap(({ row: { tenant }, contents }) =>
    contents.moved.flatMap(({ before, after }) =>
      before.pageNumber === after.pageNumber ? [] : [{ no: before.no, tenant, content: after }],
    ),
  );
  await replaceContentMetadata(trx, schema, onOtherPage);
  const relabelled = changed.flatMap(({ row, before }) => {
    if (before === null || before.contents.length === 0) return [];
    const repeated = repeatedOf(row);
    return sameTexts(repeated, repeatedOf(before.row)) ? [] : [{ no: before.no, ...repeated }];
  });
  if (relabelled.length > 0) {
    const columns = { no: 'bigint', sourceType: 'text', fileType: 'text', host: 'text' };
    await sql`update ${content} c set source_type = r.source_type, file_type = r.file_type, host = r.host
      from ${recordset(relabelled, 'r', columns)} where c.source_no = r.no`.execute(trx);
  }
};

/** Columns of `content` that repeat the source, for filters. */
export const repeatedOf = ({ sourceType, indexed, url }: SourceRow) => ({
  sourceType,
  fileType: indexed?.fileType ?? '',
  host: URL.parse(url)?.hostname ?? null,
});
type Repeated = ReturnType<typeof repeatedOf>;

const sameTexts = (a: Repeated, b: Repeated): boolean =>
  a.sourceType === b.sourceType && a.fileType === b.fileType && a.host === b.host;

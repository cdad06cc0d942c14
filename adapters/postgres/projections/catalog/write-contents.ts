import type { ContentRow } from '../../../../application/read-models/source-contents.ts';
import type { SourceRow } from '../../../../application/read-models/source-row.ts';
import { storable } from '../../../../domain/filter/value.ts';
import type { Lengths } from '../../../../domain/ranking/segment-builder.ts';
import { recordset } from '../../bulk-values.ts';
import { type Sql, column } from '../../database-schema.ts';
import { forgetContents } from '../../postings/forget-contents.ts';
import type { Stems } from '../../postings/stems.ts';
import { type ReadSegment, readSegment } from '../../postings/write-segment.ts';
import { withCommit } from '../../transaction.ts';
import type { StoredBatch } from './batch.ts';
import type { ChangedSource, SourceNumbers } from './changed-sources.ts';
import { insertContentMetadata, replaceContentMetadata } from './write-metadata.ts';
import { sql } from 'kysely';

/** Contents of a data source that was hidden before have already left the lexical index. */
export const deleteContents = async (
  trx: Sql,
  schema: string,
  stems: Stems | null,
  changed: readonly ChangedSource[],
  hidden: StoredBatch['hidden'],
): Promise<void> => {
  const numbers = (sources: readonly ChangedSource[]): readonly number[] =>
    sources.flatMap(({ contents }) => contents.gone.map(({ no }) => no));
  const gone = numbers(changed);
  if (gone.length === 0) return;
  const indexed = numbers(changed.filter(({ row }) => !hidden.has(row.dataSourceId)));
  if (indexed.length > 0 && stems !== null)
    await forgetContents(trx, schema, stems, sql`c.no = any(${indexed}::bigint[])`);
  await sql`delete from ${sql.id(schema, 'content')} where no = any(${gone}::bigint[])`.execute(trx);
  for (const side of ['content_text', 'content_metadata']) {
    await sql`delete from ${sql.id(schema, side)} where content_no = any(${gone}::bigint[])`.execute(trx);
  }
};

/**
 * Updates remaining contents: their order in the document, their page and lines, and the columns that repeat
 * their source.
 */
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
const repeatedOf = ({ sourceType, indexed, url }: SourceRow) => ({
  sourceType,
  fileType: indexed?.fileType ?? '',
  host: URL.parse(url)?.hostname ?? null,
});
type Repeated = ReturnType<typeof repeatedOf>;

const sameTexts = (a: Repeated, b: Repeated): boolean =>
  a.sourceType === b.sourceType && a.fileType === b.fileType && a.host === b.host;

interface FreshContent {
  readonly row: SourceRow;
  readonly content: ContentRow;
  readonly no: number;
}

/** Inserts rows, texts, metadata, and one segment of the lexical index per tenant with ascending numbers. */
export const insertContents = async (
  trx: Sql,
  schema: string,
  stems: Stems | null,
  changed: readonly ChangedSource[],
  sources: SourceNumbers,
  hidden: StoredBatch['hidden'],
): Promise<void> => {
  const unnumbered = changed.flatMap(({ row, contents }) =>
    contents.fresh.map((content) => ({ row, content })),
  );
  if (unnumbered.length === 0) return;
  const sorted = unnumbered.toSorted((a, b) => compare(a.row.tenant, b.row.tenant));
  const numbers = await takeNumbers(trx, schema, sorted.length);
  const fresh = sorted.map((content, i): FreshContent => ({ ...content, no: numbers[i] ?? 0 }));
  const visible = stems === null ? [] : fresh.filter(({ row }) => !hidden.has(row.dataSourceId));
  // Sent without waiting: the server writes texts while words are counted here, and rows while terms are
  // packed.
  await insertTexts(trx, schema, fresh);
  await insertContentMetadata(
    trx,
    schema,
    fresh.map(({ no, row: { tenant }, content }) => ({ no, tenant, content })),
  );
  const segments: (readonly [tenant: string, segment: ReadSegment])[] = [];
  const lengths = new Map<number, Lengths | undefined>();
  for (const [tenant, contents] of Map.groupBy(visible, ({ row }) => row.tenant)) {
    const segment = await readSegment(trx, stems!, contents.map(documentOf));
    for (const [i, { no }] of contents.entries()) lengths.set(no, segment.lengths[i]);
    segments.push([tenant, segment]);
  }
  const rows = fresh.map(({ no, row, content }) => ({
    ...content,
    ...repeatedOf(row),
    no,
    tenant: row.tenant,
    dataSourceId: row.dataSourceId,
    sourceNo: sources.get(row.id),
    textLength: lengths.get(no)?.text ?? 0,
    titleLength: lengths.get(no)?.title ?? 0,
  }));
  const list = sql.join(Object.keys(CONTENT).map((name) => column(name)));
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'content')} (${list}) overriding system value
    select ${list} from ${recordset(rows, 'r', CONTENT)}`);
  for (const [tenant, segment] of segments) await segment.write(schema, tenant);
};

const CONTENT = {
  no: 'bigint',
  id: 'uuid',
  tenant: 'text',
  sourceNo: 'bigint',
  dataSourceId: 'uuid',
  sourceType: 'text',
  fileType: 'text',
  host: 'text',
  timestamp: 'bigint',
  ord: 'int',
  pageNumber: 'int',
  lines: 'jsonb',
  label: 'text',
  textLength: 'int',
  titleLength: 'int',
} as const;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const takeNumbers = async (trx: Sql, schema: string, count: number): Promise<readonly number[]> => {
  const { rows } = await sql<{ numbers: readonly number[] }>`
    select array_agg(nextval(sequence) order by i) as numbers
    from (select pg_get_serial_sequence(${`${schema}.content`}, 'no')::regclass as sequence offset 0) once,
      generate_series(1, ${count}) i`.execute(trx);
  return rows[0]?.numbers ?? [];
};

const documentOf = ({ no, row, content: { id, chunk } }: FreshContent) => ({
  no,
  id,
  title: row.title,
  headings: chunk?.headingPath ?? [],
  text: chunk?.text ?? '',
  language: row.indexed?.language ?? '',
});

/** Sends arrays, which are escaped once; both sides would have to parse JSON. */
const insertTexts = async (trx: Sql, schema: string, fresh: readonly FreshContent[]): Promise<void> => {
  const texts = fresh.map(({ content }) => storable(content.chunk?.text ?? ''));
  const headings = fresh.map(({ content }) =>
    JSON.stringify((content.chunk?.headingPath ?? []).map(storable)),
  );
  await withCommit(trx)(sql`insert into ${sql.id(schema, 'content_text')} (content_no, text, heading_path)
    select no, text, heading_path::jsonb
    from unnest(${fresh.map(({ no }) => no)}::bigint[], ${texts}::text[], ${headings}::text[])
      as r(no, text, heading_path)`);
};

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
import { insertContentMetadata } from './write-metadata.ts';
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
  await sql`delete from ${sql.id(schema, 'content_metadata')}
    where content_no = any(${gone}::bigint[])`.execute(trx);
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

/** Inserts rows, metadata, and one segment of the lexical index per tenant with ascending numbers. */
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
  // Sent without waiting: the server writes while words are counted and terms are packed here.
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
    headingPath: content.chunk?.headingPath ?? [],
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
  headingPath: 'jsonb',
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

/** UTF-16 units of the texts in a block. Larger ones compress little better, and each read takes a whole block. */
const BLOCK_LENGTH = 12_000;

interface TextBlock {
  readonly sourceNo: number;
  readonly firstOrd: number;
  readonly texts: string[];
}

/**
 * Replaces the texts of the documents whose contents changed, all of them: those that stay may stand in another place.
 * Must follow everything that reads the old ones.
 */
export const writeTexts = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
  sources: SourceNumbers,
): Promise<void> => {
  const rewritten = changed.filter(({ contents }) =>
    Object.values(contents).some(({ length }) => length > 0),
  );
  const old = rewritten.flatMap(({ before }) => (before === null ? [] : [before.no]));
  const table = sql.id(schema, 'text_block');
  const send = withCommit(trx);
  if (old.length > 0) await send(sql`delete from ${table} where source_no = any(${old}::bigint[])`);
  const blocks = rewritten.flatMap(({ row, after }) => blocksOf(sources.get(row.id) ?? 0, after.contents));
  if (blocks.length === 0) return;
  // Arrays: both sides would have to parse JSON.
  await send(sql`insert into ${table} (source_no, first_ord, texts)
    select source_no, first_ord, texts::text[]
    from unnest(${blocks.map(({ sourceNo }) => sourceNo)}::bigint[], ${blocks.map(({ firstOrd }) => firstOrd)}::int[],
      ${blocks.map(({ texts }) => arrayLiteral(texts))}::text[]) as r(source_no, first_ord, texts)`);
};

/** An array of arrays of different lengths is none in Postgres: each goes as a text. */
const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

const blocksOf = (sourceNo: number, contents: readonly ContentRow[]): readonly TextBlock[] => {
  const blocks: TextBlock[] = [];
  let length = 0;
  for (const { ord, chunk } of contents) {
    const text = storable(chunk?.text ?? '');
    let block = blocks.at(-1);
    if (block === undefined || length + text.length > BLOCK_LENGTH) {
      block = { sourceNo, firstOrd: ord, texts: [] };
      blocks.push(block);
      length = 0;
    }
    // A chunk set that repeats itself leaves gaps.
    while (block.firstOrd + block.texts.length < ord) block.texts.push('');
    block.texts.push(text);
    length += text.length;
  }
  return blocks;
};

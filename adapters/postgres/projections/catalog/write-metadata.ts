import { sql } from 'kysely';
import { type Sql, column } from '../../database-schema.ts';
import type { ContentRow } from '../../../../application/read-models/source-contents.ts';
import { storedValue } from '../../../../domain/filter/value.ts';
import type { MetadataRecord } from '../../../../domain/source/events.ts';
import { withCommit } from '../../transaction.ts';
import type { ChangedSource, SourceNumbers } from './changed-sources.ts';
import { recordset } from '../../bulk-values.ts';

/** Replaces all metadata of a source if it changed. */
export const writeMetadata = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
  numbers: SourceNumbers,
): Promise<void> => {
  const replaced = changed.filter(({ row, before }) => row.metadata !== (before?.row.metadata ?? NONE));
  if (replaced.length === 0) return;
  const owners = replaced.flatMap(({ before }) => (before === null ? [] : [before.no]));
  if (owners.length > 0)
    await withCommit(trx)(sql`delete from ${sql.id(schema, 'source_metadata')}
    where source_no = any(${owners}::bigint[])`);
  const owned = replaced.map(({ row: { id, tenant, metadata } }) => ({
    no: numbers.get(id) ?? 0,
    tenant,
    metadata,
  }));
  await insertMetadata(trx, schema, 'source', owned);
};

const NONE: readonly never[] = [];

/** A content whose metadata is written: its chunk was read with the event. */
export interface ContentOfTenant {
  readonly no: number;
  readonly tenant: string;
  readonly content: ContentRow;
}

/** Inserts what chunks declare; their pages and headings are columns of `content`. */
export const insertContentMetadata = async (
  trx: Sql,
  schema: string,
  contents: readonly ContentOfTenant[],
): Promise<void> => {
  const owned = contents.map(({ no, tenant, content: { chunk } }) => ({
    no,
    tenant,
    metadata: chunk?.metadata ?? NONE,
  }));
  await insertMetadata(trx, schema, 'content', owned);
};

interface Owned {
  readonly no: number;
  readonly tenant: string;
  readonly metadata: readonly MetadataRecord[];
}

const COLUMNS = {
  no: 'bigint',
  ord: 'int',
  tenant: 'text',
  key: 'text',
  type: 'text',
  valText: 'text',
  valNumber: 'float8',
  valTime: 'bigint',
} as const;

const insertMetadata = async (
  trx: Sql,
  schema: string,
  of: 'source' | 'content',
  owned: readonly Owned[],
): Promise<void> => {
  const rows = owned.flatMap(({ no, tenant, metadata }) =>
    metadata.map((record, ord) => {
      const { text: valText, number: valNumber, time: valTime } = storedValue(record);
      return { no, ord, tenant, key: record.key, type: record.type, valText, valNumber, valTime };
    }),
  );
  if (rows.length === 0) return;
  const list = sql.join(Object.keys(COLUMNS).map((name) => column(name === 'no' ? `${of}No` : name)));
  await withCommit(trx)(sql`insert into ${sql.id(schema, `${of}_metadata`)} (${list})
    select * from ${recordset(rows, 'r', COLUMNS)}`);
};

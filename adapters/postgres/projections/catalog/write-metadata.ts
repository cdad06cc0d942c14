import { sql } from 'kysely';
import { storedValue } from '../../../../domain/filter/value.ts';
import type { Sql } from '../projection.ts';
import type { ChangedSource } from './changed-sources.ts';
import { recordset } from './recordset.ts';
import type { SourceNumbers } from './write-sources.ts';

const COLUMNS = {
  source_no: 'bigint',
  ord: 'int',
  tenant: 'text',
  key: 'text',
  type: 'text',
  val_text: 'text',
  val_number: 'float8',
  val_time: 'bigint',
} as const;

/** All metadata of a source is replaced where it changed. */
export const writeMetadata = async (
  trx: Sql,
  schema: string,
  changed: readonly ChangedSource[],
  numbers: SourceNumbers,
): Promise<void> => {
  const replaced = changed.filter(({ row, before }) => row.metadata !== (before?.row.metadata ?? NONE));
  if (replaced.length === 0) return;
  const table = sql.id(schema, 'source_metadata');
  const owners = replaced.flatMap(({ before }) => (before === null ? [] : [before.no]));
  await sql`delete from ${table} where source_no = any(${owners}::bigint[])`.execute(trx);
  const rows = replaced.flatMap(({ row: { id, tenant, metadata } }) =>
    metadata.map((record, ord) => {
      const { text, number, time } = storedValue(record);
      const { key, type } = record;
      return {
        source_no: numbers.get(id),
        ord,
        tenant,
        key,
        type,
        val_text: text,
        val_number: number,
        val_time: time,
      };
    }),
  );
  if (rows.length === 0) return;
  const list = sql.join(Object.keys(COLUMNS).map((name) => sql.id(name)));
  await sql`insert into ${table} (${list}) select ${list} from ${recordset(rows, 'r', COLUMNS)}`.execute(trx);
};

const NONE: readonly never[] = [];

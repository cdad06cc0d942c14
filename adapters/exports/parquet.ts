import { zstdCompressSync } from 'node:zlib';
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { ExportEncoder } from '../../application/audit/export-log.ts';
import { COLUMNS, type Row, rowOf } from './row.ts';

const TYPES: Readonly<Partial<Record<keyof Row, BasicType>>> = {
  recorded_at: 'TIMESTAMP',
  revision: 'INT64',
  index: 'INT64',
  data: 'JSON',
  metadata: 'JSON',
  hidden: 'JSON',
};
const NULLABLE: ReadonlySet<keyof Row> = new Set(['trace_id', 'hidden']);

const columnsOf = (rows: readonly Row[]) =>
  COLUMNS.map((name) => {
    const type = TYPES[name] ?? 'STRING';
    const data = rows.map((row) => (type === 'INT64' ? BigInt(row[name] as number) : row[name]));
    return { name, data, type, nullable: NULLABLE.has(name), statistics: type !== 'JSON' };
  });
const SCHEMA = schemaFromColumnData({ columnData: columnsOf([]) });

/** Least rows of a row group but the last, which is in memory. */
const GROUP = 4_000;

export const createParquetEncoder = (): ExportEncoder => {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: { ZSTD: (plain) => zstdCompressSync(plain) },
  });
  let rows: Row[] = [];
  const group = async (): Promise<void> => {
    await file.write({ columnData: columnsOf(rows), rowGroupSize: rows.length });
    rows = [];
  };
  const taken = (): Uint8Array => {
    const part = bytes.getBytes().slice();
    bytes.index = 0;
    return part;
  };
  return {
    head: '',
    page: async ({ events }) => {
      for (const event of events) rows.push(rowOf(event));
      if (rows.length >= GROUP) await group();
      return taken();
    },
    end: async () => {
      if (rows.length > 0) await group();
      await file.finish();
      return taken();
    },
  };
};

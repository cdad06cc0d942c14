import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { EventWriter, Written } from './event-writer.ts';
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

/** Least rows of a row group, which is in memory. */
const GROUP = 4_000;
/** Least rows of a file but the last of a run: a killed process writes that many anew. */
const PART = 100_000;

/** A folder of files `part-000001.parquet` and so on: each has its name once it is whole. */
export const openParquet = async (folder: string, from: Written): Promise<EventWriter> => {
  await mkdir(folder, { recursive: true });
  let written = from;
  let part: ParquetWriter | null = null;
  let rows: Row[] = [];
  let inPart = 0;
  let reached = from.position;
  const pathOf = (nth: number): string => join(folder, `part-${String(nth).padStart(6, '0')}.parquet`);
  const unfinished = (): string => `${pathOf(written.size + 1)}.tmp`;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    part ??= new ParquetWriter({
      writer: fileWriter(unfinished()),
      schema: SCHEMA,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    });
    await part.write({ columnData: columnsOf(rows), rowGroupSize: rows.length });
    inPart += rows.length;
    rows = [];
  };
  const finish = async (): Promise<void> => {
    await flush();
    let { size } = written;
    if (part !== null) {
      await part.finish();
      const file = await open(unfinished(), 'r+');
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
      size += 1;
      await rename(unfinished(), pathOf(size));
    }
    written = { events: written.events + inPart, position: reached, size };
    [part, inPart] = [null, 0];
  };
  return {
    write: async ({ events, position }) => {
      for (const event of events) rows.push(rowOf(event));
      reached = position;
      if (rows.length >= GROUP) await flush();
      if (inPart >= PART) await finish();
      return written;
    },
    close: async () => {
      await finish();
      return written;
    },
  };
};

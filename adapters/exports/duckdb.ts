import type { ExportedEvent } from '../../application/audit/export-log.ts';
import { CREATE_VIEWS } from './duckdb-views.ts';
import { type EventExport, type ExportRequest, mustAskForTheSame, type Reached } from './open-export.ts';
import { COLUMNS, type Row, rowOf } from './row.ts';

/** The tested version; `package.json` has the same. It has 70 MB, so it is installed only where it is wanted. */
const PACKAGE = { name: '@duckdb/node-api', version: '1.5.6-r.1' } as const;

/** The package is not installed. The message says what to do. */
export class DuckDbMissing extends Error {
  override readonly name = 'DuckDbMissing';
  constructor() {
    super(
      `it needs a package that is not installed: npm install --omit=dev --save-optional ${PACKAGE.name}@${PACKAGE.version}`,
    );
  }
}

/** What is used of the package, whose types are not there where it is not installed. */
interface DuckDb {
  readonly DuckDBInstance: { readonly create: (path: string) => Promise<Instance> };
  readonly DuckDBTimestampValue: new (micros: bigint) => object;
}
interface Instance {
  readonly connect: () => Promise<Connection>;
  readonly closeSync: () => void;
}
interface Connection {
  readonly run: (statement: string, values?: readonly unknown[]) => Promise<unknown>;
  readonly runAndReadAll: (statement: string) => Promise<{ readonly getRowObjectsJson: () => unknown[] }>;
  readonly createAppender: (table: string) => Promise<Appender>;
  readonly closeSync: () => void;
}
interface Appender {
  readonly appendVarchar: (text: string) => void;
  readonly appendBigInt: (value: bigint) => void;
  readonly appendTimestamp: (value: object) => void;
  readonly appendNull: () => void;
  readonly endRow: () => void;
  readonly closeSync: () => void;
}

/** @throws DuckDbMissing */
export const loadDuckDb = async (name: string = PACKAGE.name): Promise<DuckDb> => {
  try {
    import.meta.resolve(name);
  } catch {
    throw new DuckDbMissing();
  }
  return (await import(name)) as DuckDb;
};

const TYPES: Readonly<Partial<Record<keyof Row, string>>> = {
  recorded_at: 'timestamp',
  revision: 'bigint',
  index: 'bigint',
  data: 'json',
  metadata: 'json',
  hidden: 'json',
};
const CREATE_TABLES = [
  `CREATE TABLE IF NOT EXISTS events (${COLUMNS.map((name) => `"${name}" ${TYPES[name] ?? 'varchar'}`).join(', ')})`,
  'CREATE TABLE IF NOT EXISTS knowledger_export (request json, events bigint, position varchar)',
];

/** Events of a transaction: each costs a write to the disk. */
const BATCH = 10_000;

/**
 * Opens an export into a file of DuckDB: the table `events`, and views over it. The file has its position, written in one
 * transaction with the events, so it has each event once whenever its process was killed.
 *
 * @throws DuckDbMissing, or Error for a file that is no such export, or one of another request
 */
export const openDuckDb = async (path: string, request: ExportRequest): Promise<EventExport> => {
  const duckdb = await loadDuckDb();
  const instance = await duckdb.DuckDBInstance.create(path);
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    return await openIn(duckdb, connection, close, path, request);
  } catch (error) {
    close();
    throw error;
  }
};

const openIn = async (
  { DuckDBTimestampValue }: DuckDb,
  connection: Connection,
  close: () => void,
  path: string,
  request: ExportRequest,
): Promise<EventExport> => {
  for (const statement of [...CREATE_TABLES, ...CREATE_VIEWS]) await connection.run(statement);
  const [state] = (
    await connection.runAndReadAll('SELECT request, events, position FROM knowledger_export')
  ).getRowObjectsJson() as { readonly request: string; readonly events: string; readonly position: string }[];
  if (state === undefined)
    await connection.run('INSERT INTO knowledger_export VALUES ($1, 0, $2)', [
      JSON.stringify(request),
      request.after,
    ]);
  else mustAskForTheSame(path, JSON.parse(state.request) as ExportRequest, request);
  let written: Reached = { events: Number(state?.events ?? 0), position: state?.position ?? request.after };
  let waiting: ExportedEvent[] = [];
  let reached = written.position;

  const append = (table: Appender, row: Row): void => {
    for (const name of COLUMNS) {
      const value = row[name];
      if (value === null) table.appendNull();
      else if (value instanceof Date)
        table.appendTimestamp(new DuckDBTimestampValue(BigInt(value.getTime()) * 1_000n));
      else if (typeof value === 'number') table.appendBigInt(BigInt(value));
      else table.appendVarchar(typeof value === 'string' ? value : JSON.stringify(value));
    }
    table.endRow();
  };
  const commit = async (): Promise<void> => {
    if (reached === written.position) return;
    const next = { events: written.events + waiting.length, position: reached };
    await connection.run('BEGIN');
    const table = await connection.createAppender('events');
    for (const event of waiting) append(table, rowOf(event));
    table.closeSync();
    await connection.run('UPDATE knowledger_export SET events = $1, position = $2', [
      next.events,
      next.position,
    ]);
    await connection.run('COMMIT');
    [written, waiting] = [next, []];
  };
  return {
    written,
    write: async ({ events, position }) => {
      waiting.push(...events);
      reached = position;
      if (waiting.length >= BATCH) await commit();
    },
    close: async () => {
      await commit();
      close();
      return written;
    },
  };
};

import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CamelRows } from './camel-rows.ts';
import { keepingPlans } from './kept-plans.ts';
import type { AnyTables } from './sql.ts';
import { type Transact, transactionsOn } from './transactions.ts';

export type DatabaseAddress =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

export type DatabaseOptions = DatabaseAddress & {
  /** Most connections at once, default 10. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** A statement is cancelled after this many milliseconds (SQLSTATE 57014), default 60,000; 0 = never. */
  readonly statementTimeoutMs?: number;
  /**
   * False: a commit is acknowledged before it is on disk. A crash of the machine may then lose the last commits, each
   * as a whole and newest first, never tear one: right for what can be made again from the events. Default: as the server is set.
   */
  readonly synchronousCommit?: boolean;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
};

export interface Database<Schema> {
  readonly pool: pg.Pool;
  readonly db: Kysely<Schema>;
  /** For transactions of several statements that need not wait for each other. */
  readonly transact: Transact;
  /** A connection outside the pool, not yet connected: for LISTEN and for locks held over a long time. */
  readonly newClient: () => pg.Client;
  /** Waits for checked-out connections, then closes all. Later calls answer the same promise. */
  readonly close: () => Promise<void>;
}

export type SqlDatabase = Database<AnyTables>;

const STATEMENT_MS = 60_000;
/** What a server that works may stay silent for, as a part of the time that it gives a statement. */
const SILENCE = 1.25;

/**
 * One pool, shared by Kysely and by hand-written statements. Nothing connects before the first query.
 *
 * A connection of the pool on which nothing moves for longer than a statement may take is given up: the way to the
 * server is broken, and TCP alone would wait for a quarter of an hour. A transaction that idles for a minute is ended by
 * the server, because an open writing transaction would hold back vacuum and the event feed. JIT compilation is off: it
 * costs more than the short statements here run.
 */
export const createDatabase = <Schema>(options: DatabaseOptions): Database<Schema> => {
  const config = clientConfig(options);
  const silenceMs = SILENCE * statementMs(options);
  const pool = new pg.Pool({ ...config, max: options.poolSize ?? 10 });
  // Without a listener a server restart would end the process: an idle client's error is an 'error' event.
  pool.on('error', options.onIdleError ?? (() => {}));
  // The same for a client that is checked out: its query fails as well, which is where the error is handled.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    giveUpAfter(client, silenceMs);
  });
  let closing: Promise<void> | undefined;
  return {
    pool,
    db: new Kysely<Schema>({
      dialect: new PostgresDialect({ pool: keepingPlans(pool) }),
      plugins: [new CamelRows()],
    }),
    transact: transactionsOn(pool),
    newClient: () => new pg.Client(config),
    close: () => (closing ??= pool.end()),
  };
};

/** For statements that may take as long as they like, on a connection that is closed afterwards. */
export const neverGiveUp = (client: pg.ClientBase): void => giveUpAfter(client, 0);

/** 0: never. */
const giveUpAfter = (client: pg.ClientBase, ms: number): void => {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners('timeout');
  stream.setTimeout(ms, () => stream.destroy(new Error('Connection terminated: the database fell silent')));
};

const clientConfig = (options: DatabaseOptions): pg.ClientConfig => {
  const settings = {
    jit: 'off',
    ...(options.synchronousCommit === false && { synchronous_commit: 'off' }),
    timezone: 'UTC',
    statement_timeout: statementMs(options),
    idle_in_transaction_session_timeout: 60_000,
  };
  return {
    ...address(options),
    application_name: options.applicationName ?? 'knowledger',
    // A URL with options of its own adds to them: the driver would take these alone.
    options: [
      ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`),
      ...given(options),
    ].join(' '),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  };
};

/** The driver takes what a URL says of TLS, of the name of the application, and so on, before what it is told here. */
const address = (options: DatabaseOptions): pg.ClientConfig => {
  if (!('connectionString' in options)) {
    const { host, port, user, password, database } = options;
    return { host, port, user, password, database };
  }
  const url = URL.parse(options.connectionString);
  if (url === null) return { connectionString: options.connectionString };
  url.searchParams.delete('options');
  return { connectionString: url.href };
};

const inUrl = (options: DatabaseOptions, name: string): string | null =>
  'connectionString' in options
    ? (URL.parse(options.connectionString)?.searchParams.get(name) ?? null)
    : null;

const given = (options: DatabaseOptions): readonly string[] => {
  const more = inUrl(options, 'options');
  return more === null ? [] : [more];
};

const statementMs = (options: DatabaseOptions): number => {
  const asked = inUrl(options, 'statement_timeout');
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : (options.statementTimeoutMs ?? STATEMENT_MS);
};

/**
 * `bigint` columns and `count(*)` become numbers and a value beyond 2^53 throws: silently rounded keys and a type
 * that is sometimes text are both worse. `date` stays text (`YYYY-MM-DD`), as a Date would move it by a time zone.
 * The rest is node-postgres' default: `numeric` is text, `timestamptz` a Date, `jsonb` parsed.
 */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid in PARSERS) return PARSERS[oid];
  return pg.types.getTypeParser(oid, format);
}) as typeof pg.types.getTypeParser;

const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
};

const safeIntegers = (text: string): readonly (number | null)[] =>
  parseTextArray(text).map((item) => (item === null ? null : safeInteger(item)));

const INT8_ARRAY = 1016;
const parseTextArray = (pg.types.getTypeParser as (oid: number) => (text: string) => (string | null)[])(
  INT8_ARRAY,
);

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: safeInteger,
  [INT8_ARRAY]: safeIntegers,
  [pg.types.builtins.DATE]: String,
};

import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CamelRows, type Sql } from './database-schema.ts';
import { withPreparedStatements } from './prepared-statements.ts';
import { type Transact, transactionsOn } from './transaction.ts';

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
  /** Maximum number of connections, default 10. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /**
   * A statement is cancelled after this many milliseconds (SQLSTATE 57014), default 60,000; 0 means never.
   */
  readonly statementTimeoutMs?: number;
  /**
   * False: a commit is acknowledged before it is on disk. A crash of the machine may then lose the last
   * commits, but never part of one: suitable for data that can be rebuilt from the events. Default: the
   * server's setting.
   */
  readonly synchronousCommit?: boolean;
};

export interface PostgresDatabase {
  readonly pool: pg.Pool;
  readonly db: Sql;
  /** For transactions of several statements that need not wait for each other. */
  readonly transact: Transact;
  /** Creates a connection outside the pool, not yet connected: for LISTEN and for long-held locks. */
  readonly newClient: () => pg.Client;
  /**
   * Breaks every connection that has received nothing for `ms` milliseconds. After an outage of the network its statements
   * would wait for an answer that was lost, until their time limit; so they fail at once, and new connections replace them.
   */
  readonly breakSilent: (ms: number) => void;
  /** Waits for checked-out connections, then closes all. Later calls return the same promise. */
  readonly close: () => Promise<void>;
}

const STATEMENT_MS = 60_000;
/** A healthy server responds within this multiple of its statement timeout. */
const IDLE_FACTOR = 1.25;

/**
 * One pool, shared by Kysely and by hand-written statements. Nothing connects before the first query.
 *
 * The pool closes a connection that is idle during a statement for longer than the statement may take: the
 * network is broken, and TCP alone would wait for a quarter of an hour. The server ends a transaction that
 * idles for a minute, because an open writing transaction would hold back vacuum and the event feed. JIT
 * compilation is off: it costs more than the short statements here.
 */
export const createDatabase = (options: DatabaseOptions): PostgresDatabase => {
  const config = clientConfig(options);
  const idleMs = IDLE_FACTOR * statementMs(options);
  const pool = new pg.Pool({ ...config, max: options.poolSize ?? 10 });
  // Without a listener a server restart would end the process: an idle client emits an 'error' event.
  pool.on('error', () => {});
  // The same for a checked-out client: its query fails too, and the caller handles that error.
  const connected = new Map<Socket, number>();
  const observe = (client: pg.ClientBase): void => {
    const stream = socketOf(client);
    const heard = (): void => void connected.set(stream, performance.now());
    heard();
    stream.on('data', heard).once('close', () => connected.delete(stream));
  };
  pool.on('connect', (client) => {
    client.on('error', () => {});
    destroyAfterIdle(client, idleMs);
    observe(client);
  });
  let closing: Promise<void> | undefined;
  return {
    pool,
    db: new Kysely({
      dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
      plugins: [new CamelRows()],
    }),
    transact: transactionsOn(pool),
    newClient: () => {
      const client = new pg.Client(config);
      client.once('connect', () => observe(client));
      return client;
    },
    breakSilent: (ms) => {
      for (const [stream, heardAt] of connected)
        if (performance.now() - heardAt >= ms) stream.destroy(new Error(SILENT));
    },
    close: () => (closing ??= pool.end()),
  };
};

/**
 * Reads in one snapshot (REPEATABLE READ, read only). Resolves before the transaction has ended, which saves
 * a round trip: the result does not depend on how it ends. The connection returns to the pool afterwards.
 *
 * @throws the error of `read`, after the rollback
 */
export const readSnapshot = <T>(db: Sql, read: (trx: Sql) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    db.transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => resolve(await read(trx)))
      .catch(reject);
  });

/** For long statements, on a connection that is closed afterwards. */
export const disableIdleTimeout = (client: pg.ClientBase): void => destroyAfterIdle(client, 0);

const SILENT = 'Connection terminated: the database did not respond';

const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

/** 0 means never. */
const destroyAfterIdle = (client: pg.ClientBase, ms: number): void => {
  const stream = socketOf(client);
  stream.removeAllListeners('timeout');
  stream.setTimeout(ms, () => stream.destroy(new Error(SILENT)));
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
    // Merges the options of a URL, because the driver would use only those.
    options: [
      ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`),
      ...urlOptions(options),
    ].join(' '),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  };
};

/** Settings in the URL (TLS, application name, …) take precedence over the other options. */
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

const urlOptions = (options: DatabaseOptions): readonly string[] => {
  const more = inUrl(options, 'options');
  return more === null ? [] : [more];
};

const statementMs = (options: DatabaseOptions): number => {
  const urlValue = inUrl(options, 'statement_timeout');
  return urlValue !== null && /^\d+$/.test(urlValue)
    ? Number(urlValue)
    : (options.statementTimeoutMs ?? STATEMENT_MS);
};

/**
 * `bigint` columns and `count(*)` become numbers, and a value beyond 2^53 throws: both silently rounded keys
 * and a type that is sometimes text are worse. `date` stays text (`YYYY-MM-DD`), because a Date would shift
 * it by a time zone. The rest is node-postgres' default: `numeric` is text, `timestamptz` a Date, `jsonb`
 * parsed.
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

/**
 * Classes of SQLSTATE that a retry may fix: connection, rollback, resources, object state, operator
 * intervention, and a read-only server. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const TRANSIENT_STATE = /^(08|40|53|55|57|25006)/;
/** Codes of the operating system; `ERR_…` are Node's own and mean that the call was wrong. */
const SYSTEM_CODE = /^E(?!RR_)/;
/** Client errors without a code. Anchored at the start, because a message may quote text of a user. */
const CLIENT_MESSAGE =
  /^(Connection terminated|Client (has encountered|was closed)|Query read timeout|timeout (exceeded|expired)|The server does not support SSL|There was an error establishing an SSL)/;

/**
 * Whether the same statement may succeed later: the fault is in the server or the network, not in the
 * statement.
 */
export const isTransient = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return TRANSIENT_STATE.test(code) || SYSTEM_CODE.test(code);
  return typeof message === 'string' && CLIENT_MESSAGE.test(message);
};

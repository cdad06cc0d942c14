import {
  DefaultQueryExecutor,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  Transaction,
} from 'kysely';
import pg from 'pg';
import { CamelRows, type Database, type Sql } from './database-schema.ts';

/**
 * Runs `work` in a transaction, on a connection of the pool, and pipelines its statements: statements that
 * are issued in the same tick go to the server in one write, BEGIN before the first and COMMIT after the last
 * (see `withCommit`). The server runs them in the order of issue; the first failure fails every later
 * statement of its write.
 *
 * @throws the error of `work`, or of a statement that was not awaited; the transaction is then rolled back
 */
export type Transact = <Result>(work: (trx: Sql) => Promise<Result>) => Promise<Result>;

/** Transactions of `Transact`: their COMMIT waits for every statement. */
const pipelined = new WeakSet<Sql>();

/**
 * Issues a statement whose result the transaction does not need. In a pipelined transaction it is sent with
 * COMMIT, which fails if the statement does; in any other transaction it is awaited.
 */
export const withCommit =
  (trx: Sql) =>
  async (statement: RawBuilder<unknown>): Promise<void> => {
    const running = statement.execute(trx);
    if (!pipelined.has(trx)) return void (await running);
    running.catch(() => {});
  };

export const transactionsOn = (pool: pg.Pool): Transact => {
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();
  const [compiler, adapter, plugins] = [
    new PostgresQueryCompiler(),
    new PostgresAdapter(),
    [new CamelRows()],
  ];

  return async (work) => {
    const client = await pool.connect();
    const pipeline = openPipelinedTransaction(client);
    const connection: DatabaseConnection = {
      executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
        resultOf<Row>(await pipeline.query(sql, parameters)),
      streamQuery: () => {
        throw new Error('a transaction cannot stream rows');
      },
    };
    const executor = new DefaultQueryExecutor(
      compiler,
      adapter,
      { provideConnection: (consumer) => consumer(connection) },
      plugins,
    );
    const trx = new Transaction<Database>({ config: { dialect }, dialect, driver, executor });
    pipelined.add(trx);
    let isBroken = false;
    try {
      const result = await work(trx);
      await pipeline.end('commit');
      return result;
    } catch (error) {
      isBroken = await pipeline.end('rollback').then(
        () => false,
        () => true,
      );
      throw isAborted(error) ? (pipeline.failure() ?? error) : error;
    } finally {
      client.release(isBroken);
    }
  };
};

/** `in_failed_sql_transaction`: only reports an earlier failure. */
const isAborted = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === '25P02';

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The same as Kysely's own driver. */
const resultOf = <Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> => ({
  ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as Row[],
});

interface PipelinedTransaction {
  /**
   * Sends the statement together with all others of this tick, or of the time until the previous write has
   * its results.
   */
  readonly query: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;
  /**
   * Ends the transaction after all its statements; later ones are rejected.
   *
   * @throws the first failure of a statement, instead of a commit
   */
  readonly end: (how: 'commit' | 'rollback') => Promise<void>;
  /** The error of the first failed statement. */
  readonly failure: () => Error | undefined;
}

/** BEGIN is sent with the first statement. */
const openPipelinedTransaction = (client: pg.PoolClient): PipelinedTransaction => {
  const types = { getTypeParser: client.getTypeParser.bind(client) };
  let queue: Statement[] = [];
  let [isInFlight, hasEnded] = [false, false];
  let failure: Error | undefined;

  const flush = (): void => {
    if (isInFlight || queue.length === 0) return;
    isInFlight = true;
    const statements = queue;
    queue = [];
    client.query(
      pipelineOf(statements, types, () => {
        isInFlight = false;
        flush();
      }),
    );
  };
  const enqueue = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> =>
    new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        failure ??= error;
        reject(error);
      };
      queue.push({ text, values, resolve, reject: failed });
    });
  const send = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const result = enqueue(text, values);
    // Settled promises run first: their continuations may issue more statements.
    process.nextTick(flush);
    return result;
  };

  enqueue('begin', []).catch(() => {});
  return {
    query: (text, values) =>
      hasEnded ? Promise.reject(new Error('the transaction has ended')) : send(text, values),
    end: async (how) => {
      hasEnded = true;
      // The server never received a statement whose values could not be serialised.
      if (how === 'commit' && failure !== undefined) throw failure;
      const { command } = await send(how, []);
      if (how === 'commit' && command !== 'COMMIT')
        throw failure ?? new Error(`answered ${command} to COMMIT`);
    },
    failure: () => failure,
  };
};

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: Error) => void;
}

/** The parts of the driver that its own cursor uses as well. */
interface Wire {
  readonly stream: { readonly cork: () => void; readonly uncork: () => void };
  readonly sync: () => void;
}
interface Query {
  readonly submit: (wire: Wire) => Error | null;
  readonly handleRowDescription: (message: unknown) => void;
  readonly handleDataRow: (message: unknown) => void;
  readonly handleCommandComplete: (message: unknown, wire: Wire) => void;
  readonly handleReadyForQuery: (wire: Wire) => void;
  readonly handleError: (error: Error, wire: Wire) => void;
}

/**
 * Several statements as one query of the driver: one write, one Sync. The server skips every statement after
 * a failed one, so a statement never runs without those before it, including BEGIN.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 *
 * `onEnd`: called when every statement has its result.
 */
const pipelineOf = (
  statements: readonly Statement[],
  types: pg.CustomTypesConfig,
  onEnd: () => void,
): pg.Submittable => {
  /** The error of a statement whose values cannot be serialised. */
  let serialisationError: Error | null = null;
  const queries = statements.map(({ text, values, resolve, reject }) => {
    const settle = (error: Error | null, result: pg.QueryResult): void => {
      if (error === null || error === undefined) return resolve(result);
      serialisationError ??= error;
      reject(error);
    };
    const config = { text, values: [...values], types, queryMode: 'extended' };
    return new pg.Query(config, settle as never) as unknown as Query;
  });
  let current = 0;
  const fail = (from: number, error: Error, wire: Wire): void => {
    for (const query of queries.splice(from)) query.handleError(error, wire);
  };
  const completed = (wire: Wire): void => {
    queries[current]!.handleReadyForQuery(wire);
    current += 1;
  };
  const pipeline = {
    submit: (wire: Wire): null => {
      // Without its own Sync, a failed statement fails the later ones too.
      const withoutSync = Object.create(wire, { sync: { value: () => {} } }) as Wire;
      wire.stream.cork();
      for (const [index, query] of queries.entries()) {
        serialisationError = query.submit(withoutSync) ?? serialisationError;
        if (serialisationError !== null) {
          fail(index, serialisationError, wire);
          break;
        }
      }
      wire.sync();
      wire.stream.uncork();
      return null;
    },
    handleRowDescription: (message: unknown) => queries[current]!.handleRowDescription(message),
    handleDataRow: (message: unknown) => queries[current]!.handleDataRow(message),
    handleCommandComplete: (message: unknown, wire: Wire) => {
      queries[current]!.handleCommandComplete(message, wire);
      completed(wire);
    },
    handleEmptyQuery: completed,
    handleReadyForQuery: onEnd,
    // The server sends nothing until Sync; the driver continues when the server is ready.
    handleError: (error: Error, wire: Wire) => {
      fail(current, error, wire);
      onEnd();
    },
  };
  return pipeline;
};

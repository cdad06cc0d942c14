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
import type pg from 'pg';
import { CamelRows } from './camel-rows.ts';
import { createConversation } from './conversation.ts';
import type { Sql } from './sql.ts';

/**
 * Runs `work` in a transaction of its own, on a connection of the pool. Statements that are asked for at the same time go
 * to the server together, with BEGIN before the first and COMMIT behind those that nobody waits for any more
 * (`withCommit`). They run in the order in which they were asked for; the first that fails fails all that went with it.
 *
 * @throws whatever `work` throws, or a statement that it did not wait for; then nothing is kept
 */
export type Transact = <Result>(work: (trx: Sql) => Promise<Result>) => Promise<Result>;

/** Those whose end waits for all that was asked. */
const waitingAtTheEnd = new WeakSet<Sql>();

/**
 * Sends a statement that nothing in the transaction needs the answer of. In one of `Transact` it is not waited for: it
 * goes along with COMMIT, which fails if it does. Elsewhere it is.
 */
export const withCommit =
  (trx: Sql) =>
  async (statement: RawBuilder<unknown>): Promise<void> => {
    const running = statement.execute(trx);
    if (!waitingAtTheEnd.has(trx)) return void (await running);
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
    const talk = createConversation(client);
    const connection: DatabaseConnection = {
      executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
        resultOf<Row>(await talk.ask(sql, parameters)),
      streamQuery: () => {
        throw new Error('a transaction streams no rows');
      },
    };
    const executor = new DefaultQueryExecutor(
      compiler,
      adapter,
      { provideConnection: (consumer) => consumer(connection) },
      plugins,
    );
    const trx: Sql = new Transaction({ config: { dialect }, dialect, driver, executor });
    waitingAtTheEnd.add(trx);
    talk.begin();
    let isBroken = false;
    try {
      const result = await work(trx);
      await talk.end('commit');
      return result;
    } catch (error) {
      isBroken = await talk.end('rollback').then(
        () => false,
        () => true,
      );
      throw isAborted(error) ? (talk.failure() ?? error) : error;
    } finally {
      client.release(isBroken);
    }
  };
};

/** Says only that something failed before. */
const isAborted = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === '25P02';

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** As Kysely's own driver has it. */
const resultOf = <Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> => ({
  ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as Row[],
});

import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** What a statement was sent with, as the driver takes it. */
type Statement = Parameters<(text: string, values?: unknown[]) => void>;

/** The pool, with a record of what is sent through it. One user at a time. */
export const recording = (pool: pg.Pool) => {
  let statements: Statement[] = [];
  const recorded: PostgresPool = {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const query = (...statement: Statement) => {
        statements.push(statement);
        return client.query(...statement);
      };
      return { query, release: () => client.release() } as unknown as Awaited<
        ReturnType<PostgresPool['connect']>
      >;
    },
    end: () => pool.end(),
  };
  return {
    pool: recorded,
    /** What `act` sends, in order. */
    sentBy: async (act: () => Promise<unknown>): Promise<readonly Statement[]> => {
      statements = [];
      await act();
      return statements;
    },
  };
};

/**
 * Sends the same statements once more, one after another; answers the rows of contents, which have texts and addresses.
 * What comes behind them only ends the transaction.
 */
export const replay = async (
  client: pg.Client,
  statements: readonly Statement[],
): Promise<readonly { readonly id: string }[]> => {
  let contents: readonly { readonly id: string }[] = [];
  for (const statement of statements) {
    const { rows, fields } = await client.query(...statement);
    if (fields.some(({ name }) => name === 'url')) contents = rows;
  }
  return contents;
};

import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../adapters/postgres/sql.ts';

/** Remembers the statements that go through `db`, to explain them afterwards as they were sent. */
export const recording = (db: Sql) => {
  const sent: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      sent.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), sent };
};

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Pages that Postgres looks at to execute the statement, wherever they lie; what it writes is taken back. */
export const pagesOf = async (db: Sql, statement: RootOperationNode): Promise<number> => {
  let pages = NaN;
  const explain = db.transaction().execute(async (trx) => {
    const explained: RawBuilder<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }> =
      sql`explain (analyze, buffers, format json) ${asFragment(statement)}`;
    const { rows } = await explained.execute(trx);
    const plan = rows[0]!['QUERY PLAN'][0].Plan;
    pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    throw new TakenBack();
  });
  await explain.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return pages;
};

class TakenBack extends Error {}

const asFragment = (node: RootOperationNode): RawBuilder<unknown> =>
  ({
    isRawBuilder: true,
    toOperationNode: () => node,
  }) as unknown as RawBuilder<unknown>;

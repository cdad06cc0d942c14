import { type KyselyPlugin, type RawBuilder, type RootOperationNode, sql } from 'kysely';
import type { Sql } from '../../../adapters/postgres/database-schema.ts';

/** Remembers the statements that `db` answered, to explain them afterwards as they were sent. */
export const recording = (db: Sql) => {
  const compiled = new WeakMap<object, RootOperationNode>();
  const sent: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      compiled.set(queryId, node);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      sent.push(compiled.get(queryId)!);
      return result;
    },
  };
  return { db: db.withPlugin(plugin), sent };
};

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

/** Pages that Postgres looks at to execute the statement, wherever they lie; what it writes is taken back. */
export const pagesOf = async (db: Sql, statement: RootOperationNode): Promise<number> => {
  const plan = await planOf(db, statement);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
};

/** Rows that the parts of its plan hand on, all together: what compares all with all hands on that many. */
export const rowsOf = async (db: Sql, statement: RootOperationNode): Promise<number> =>
  rowsIn(await planOf(db, statement));

const rowsIn = ({ Plans = [], ...plan }: Plan): number =>
  Plans.reduce((sum, part) => sum + rowsIn(part), plan['Actual Rows'] * plan['Actual Loops']);

const planOf = async (db: Sql, statement: RootOperationNode): Promise<Plan> => {
  let plan: Plan | undefined;
  const explain = db.transaction().execute(async (trx) => {
    const explained: RawBuilder<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }> =
      sql`explain (analyze, buffers, format json) ${asFragment(statement)}`;
    const { rows } = await explained.execute(trx);
    plan = rows[0]!['QUERY PLAN'][0].Plan;
    throw new TakenBack();
  });
  await explain.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return plan!;
};

class TakenBack extends Error {}

const asFragment = (node: RootOperationNode): RawBuilder<unknown> =>
  ({
    isRawBuilder: true,
    toOperationNode: () => node,
  }) as unknown as RawBuilder<unknown>;

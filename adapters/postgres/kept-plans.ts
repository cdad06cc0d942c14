import { hash } from 'node:crypto';
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* plan kept */';

/**
 * Ends a statement that each connection prepares once and runs by name from then on: reading and planning it costs more
 * than running it, where it finds few rows by an index. For statements outside of transactions, and of few shapes, each of
 * which stays in the memory of every connection; values are parameters, never a part of the text.
 */
export const KEEP_PLAN = sql.raw(MARK);

/**
 * A value of such a statement that its plan is not to know: of a list the server sees how long it is, of a limit how much
 * it is, and takes small ones for so cheap that it plans anew each time, which costs more than they do.
 */
export const unplanned = (value: unknown, type: string) => sql`(select ${value}::${sql.raw(type)})`;

/** Lists of the same length as columns, by their types; see `unplanned`. */
export const columnsOf = (lists: readonly (readonly [type: string, values: readonly unknown[]])[]) =>
  sql`unnest(${sql.join(lists.map(([type, values]) => unplanned(values, `${type}[]`)))})`;

/** The pool for Kysely, with plans kept for the statements that ask for it. */
export const keepingPlans = (pool: pg.Pool): PostgresPool => {
  const names = createNames();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const keeping = clientKeepingPlans(client, names);
      clients.set(client, keeping);
      return keeping;
    },
    end: () => pool.end(),
  };
};

const clientKeepingPlans = (client: pg.PoolClient, names: Names): PostgresPoolClient => {
  const query = (text: unknown, values: unknown[]): unknown =>
    typeof text === 'string' && text.endsWith(MARK)
      ? runNamed(client, names, text, values)
      : client.query(text as string, values);
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  };
};

/**
 * A view that was replaced meanwhile is planned anew by the server, unless its columns changed: then it refuses the name
 * for ever, before anything ran.
 */
const runNamed = async (
  client: pg.PoolClient,
  names: Names,
  text: string,
  values: unknown[],
): Promise<unknown> => {
  const name = names.of(text);
  try {
    return await client.query({ name, text, values });
  } catch (error) {
    if (!isOutdated(error)) throw error;
    return client.query({ name: names.after(text, name), text, values });
  }
};

/** `feature_not_supported`, with this message in whatever language: plan caches know no other. */
const isOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

interface Names {
  readonly of: (text: string) => string;
  /** The name to use instead of one that is refused. */
  readonly after: (text: string, refused: string) => string;
}

const createNames = (): Names => {
  const names = new Map<string, string>();
  let renamed = 0;
  const of = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `kept-${hash('sha256', text).slice(0, 16)}`;
    names.set(text, name);
    return name;
  };
  return {
    of,
    after: (text, refused) => {
      // Another connection may have met it before.
      if (of(text) === refused) names.set(text, `${refused.slice(0, 21)}-${(renamed += 1)}`);
      return of(text);
    },
  };
};

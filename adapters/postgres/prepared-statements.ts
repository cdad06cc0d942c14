import { hash } from 'node:crypto';
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';

/**
 * At the end of a statement: each connection prepares it once and then runs it by name, as parsing and planning cost more
 * than a look-up of few rows by an index. Only outside of transactions, and for texts of few shapes, because every
 * connection keeps each of them; values are parameters, never part of the text.
 */
export const PREPARED = sql.raw(MARK);

/**
 * A parameter that the planner does not see. It would take a short list or a small limit for so cheap that it makes a
 * custom plan on each call, which costs more than the plan saves.
 */
export const opaqueToPlanner = (value: unknown, type: string) => sql`(select ${value}::${sql.raw(type)})`;

/** Arrays of one length as columns, with their SQL types; see `opaqueToPlanner`. */
export const unnested = (arrays: readonly (readonly [type: string, values: readonly unknown[]])[]) =>
  sql`unnest(${sql.join(arrays.map(([type, values]) => opaqueToPlanner(values, `${type}[]`)))})`;

/** The pool for Kysely; it prepares the statements that end with `PREPARED`. */
export const withPreparedStatements = (pool: pg.Pool): PostgresPool => {
  const names = createNames();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const wrapped = preparingClient(client, names);
      clients.set(client, wrapped);
      return wrapped;
    },
    end: () => pool.end(),
  };
};

const preparingClient = (client: pg.PoolClient, names: Names): PostgresPoolClient => {
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
 * The server plans anew after a view was replaced. When its columns have changed, it refuses the name from then on, before
 * anything ran; the statement gets another name.
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

/** `feature_not_supported` of the plan cache, whatever the language of its message. */
const isOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

interface Names {
  readonly of: (text: string) => string;
  /** The name to use instead of a refused one. */
  readonly after: (text: string, refused: string) => string;
}

const createNames = (): Names => {
  const names = new Map<string, string>();
  let renamed = 0;
  const of = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `stmt-${hash('sha256', text).slice(0, 16)}`;
    names.set(text, name);
    return name;
  };
  return {
    of,
    after: (text, refused) => {
      // Another connection may have renamed it already.
      if (of(text) === refused) names.set(text, `${refused.slice(0, 21)}-${(renamed += 1)}`);
      return of(text);
    },
  };
};

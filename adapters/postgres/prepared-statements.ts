import { hash } from 'node:crypto';
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';

/**
 * Marks the end of a statement that each connection prepares once and then runs by name, because parsing and
 * planning cost more than an index lookup of few rows. Only outside of transactions, and for few distinct
 * texts, because every connection keeps each of them; values must be parameters, never part of the text.
 */
export const PREPARED = sql.raw(MARK);

/**
 * A parameter that the planner does not see. Otherwise the planner expects a short list or a small limit to
 * be so cheap that it makes a custom plan for each call, which costs more than it saves.
 */
export const opaqueToPlanner = (value: unknown, type: string) => sql`(select ${value}::${sql.raw(type)})`;

/** Arrays of equal length as columns, with their SQL types; see `opaqueToPlanner`. */
export const unnested = (arrays: readonly (readonly [type: string, values: readonly unknown[]])[]) =>
  sql`unnest(${sql.join(arrays.map(([type, values]) => opaqueToPlanner(values, `${type}[]`)))})`;

/** Wraps the pool for Kysely and prepares the statements that end with `PREPARED`. */
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
 * After a view was replaced, the server plans the statement again. If the view's columns changed, the server
 * rejects the name before it runs anything; the statement then gets a new name.
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

/** `feature_not_supported` of the plan cache, independent of the language of the message. */
const isOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

interface Names {
  readonly of: (text: string) => string;
  /** The name to use instead of a rejected one. */
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

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../support/postgres.ts';
import type { FreshDatabase } from '../../support/postgres.ts';

describe('a database', () => {
  let database: FreshDatabase<unknown>;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database?.close());

  const one = async (expression: string): Promise<unknown> =>
    (await database.pool.query<{ value: unknown }>(`SELECT ${expression} AS value`)).rows[0]?.value;

  it('answers bigints as numbers and refuses those that would be rounded', async () => {
    expect(await one('count(*)')).toBe(1);
    expect(await one('9007199254740991::int8')).toBe(Number.MAX_SAFE_INTEGER);
    expect(await one('ARRAY[1, NULL, -5]::int8[]')).toEqual([1, null, -5]);
    await expect(one('9007199254740992::int8')).rejects.toThrow('does not fit');
  });

  it('answers dates as text and numerics unrounded', async () => {
    expect(await one(`date '2026-02-28'`)).toBe('2026-02-28');
    expect(await one('0.10000000000000000001')).toBe('0.10000000000000000001');
  });

  it('gives Kysely the same settings', async () => {
    const settings = await sql<{ value: string }>`
      SELECT current_setting(name) AS value FROM unnest(ARRAY['jit', 'TimeZone', 'statement_timeout',
        'idle_in_transaction_session_timeout', 'application_name']) AS name`.execute(database.db);
    expect(settings.rows.map((row) => row.value)).toEqual(['off', 'UTC', '1min', '1min', 'knowledger']);
  });

  it('survives the loss of idle connections', async () => {
    const client = database.newClient();
    await client.connect();
    await database.pool.query('SELECT 1');
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    const answer = async (): Promise<unknown> => one('7').catch(answer);
    expect(await answer()).toBe(7);
  });
});

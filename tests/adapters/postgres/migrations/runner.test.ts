import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Migration, migrate } from '../../../../adapters/postgres/migrate.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

const step = (id: string, ...statements: readonly string[]): Migration => ({
  id,
  up: async (execute) => {
    for (const statement of statements) await execute(statement);
  },
});

describe('the migration runner', () => {
  let database: FreshDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database?.close());

  const count = async (table: string): Promise<unknown> =>
    (await database.pool.query<{ count: number }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count;
  const first = step('a-1', 'CREATE TABLE a (n int)', 'INSERT INTO a VALUES (1)');
  const second = step('a-2', 'INSERT INTO a VALUES (2)');

  it('applies each step once, in order', async () => {
    expect(await migrate(database.pool, [first])).toEqual(['a-1']);
    expect(await migrate(database.pool, [first, second])).toEqual(['a-2']);
    expect(await migrate(database.pool, [first, second])).toEqual([]);
    expect(await count('a')).toBe(2);
  });

  it('lets concurrent starts apply each step once', async () => {
    const applied = await Promise.all(
      Array.from({ length: 4 }, () => migrate(database.pool, [first, second])),
    );
    expect(applied.flat().toSorted()).toEqual(['a-1', 'a-2']);
    expect(await count('a')).toBe(2);
  });

  it('undoes a step that fails and keeps those before it', async () => {
    const broken = step('a-2', 'INSERT INTO a VALUES (2)', 'SELECT missing');
    await expect(migrate(database.pool, [first, broken])).rejects.toThrow('migration a-2 failed');
    expect(await count('a')).toBe(1);
    expect(await migrate(database.pool, [first, second])).toEqual(['a-2']);
  });

  it('refuses a step that was changed after it had been applied, reformatting aside', async () => {
    await migrate(database.pool, [first]);
    expect(
      await migrate(database.pool, [step('a-1', 'CREATE TABLE a\n  (n int)', 'INSERT INTO a VALUES (1)')]),
    ).toEqual([]);
    await expect(migrate(database.pool, [step('a-1', 'CREATE TABLE b (n int)')])).rejects.toThrow(
      'was changed',
    );
  });

  it('refuses an id that is defined twice', async () => {
    await expect(migrate(database.pool, [first, first])).rejects.toThrow('twice');
  });
});

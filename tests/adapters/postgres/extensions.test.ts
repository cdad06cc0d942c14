import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type PostgresDatabase } from '../../../adapters/postgres/connection.ts';
import { extensionsOf, isAtLeast } from '../../../adapters/postgres/extensions.ts';
import { startPglite } from '../../support/pglite.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';

describe('extensions', () => {
  let native: FreshDatabase;
  let pglite: PostgresDatabase;
  beforeAll(async () => {
    [native, pglite] = await Promise.all([freshDatabase(), startPglite(['vector'])]);
  });
  afterAll(() => Promise.all([native?.close(), pglite?.close()]));

  it('are created where the server offers them, and told with version and schema', async () => {
    const { usable, refused } = await extensionsOf(pglite.pool, ['vector', 'nothing']);
    expect(usable.get('vector')).toEqual({ version: '0.8.7', schema: 'public' });
    expect([usable.size, refused.size]).toEqual([1, 0]);
    expect(await extensionsOf(pglite.pool, ['vector'])).toMatchObject({
      usable: new Map([['vector', { version: '0.8.7', schema: 'public' }]]),
    });
  });

  it('are told where a database administrator put them', async () => {
    await pglite.pool.query('DROP EXTENSION IF EXISTS vector');
    await pglite.pool.query('CREATE SCHEMA extra');
    await pglite.pool.query('CREATE EXTENSION vector SCHEMA extra');
    const { usable } = await extensionsOf(pglite.pool, ['vector']);
    expect(usable.get('vector')?.schema).toBe('extra');
  });

  it('are no part of a server that does not offer them', async () => {
    const { usable, refused } = await extensionsOf(native.pool, ['vector', 'nothing']);
    expect([usable.size, refused.size]).toEqual([0, 0]);
  });

  it('are done without, with the reason of the server, where this user may not create them', async () => {
    await native.pool.query('CREATE ROLE without_rights');
    const { rows } = await native.pool.query<{ name: string }>('SELECT current_database() AS name');
    await native.pool.query(`ALTER DATABASE ${rows[0]!.name} SET role = without_rights`);
    const database = createDatabase({ ...native.address, poolSize: 2 });
    try {
      const { usable, refused } = await extensionsOf(database.pool, ['plpgsql', 'file_fdw']);
      expect([...usable.keys()]).toEqual(['plpgsql']);
      expect(refused.get('file_fdw')).toMatch(/permission denied/);
    } finally {
      await database.close();
      await native.pool.query(`ALTER DATABASE ${rows[0]!.name} RESET role`);
      await native.pool.query('DROP ROLE without_rights');
    }
  });
});

describe('a version', () => {
  it('is compared number by number', () => {
    expect(isAtLeast('0.8.0', '0.8')).toBe(true);
    expect(isAtLeast('0.10.1', '0.8')).toBe(true);
    expect(isAtLeast('1', '0.8.1')).toBe(true);
    expect(isAtLeast('0.7.4', '0.8')).toBe(false);
    expect(isAtLeast('0.8', '0.8.1')).toBe(false);
  });
});

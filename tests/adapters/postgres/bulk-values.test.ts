import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intArray } from '../../../adapters/postgres/bulk-values.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

describe('a binary array', () => {
  it('arrives as it was sent', async () => {
    const ints = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
    await fc.assert(
      fc.asyncProperty(ints, async (numbers) => {
        const { rows } = await sql<{ a: readonly number[] }>`
          select ${intArray(Int32Array.from(numbers))}::int[] as a`.execute(database.db);
        expect(rows).toEqual([{ a: numbers }]);
      }),
    );
  });
});

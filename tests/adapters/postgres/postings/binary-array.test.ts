import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bigintArray,
  bigintsOf,
  intArray,
  intsOf,
} from '../../../../adapters/postgres/postings/binary-array.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase<unknown>;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

describe('binary arrays', () => {
  it('arrive as they were sent', async () => {
    const ints = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
    const bigints = fc.array(fc.oneof(fc.nat(), fc.maxSafeNat()));
    await fc.assert(
      fc.asyncProperty(ints, bigints, async (small, large) => {
        const { rows } = await sql<{ a: readonly number[]; b: readonly number[] }>`
          select ${intArray(Int32Array.from(small))}::int[] as a,
            ${bigintArray(Float64Array.from(large))}::bigint[] as b`.execute(database.db);
        expect(rows).toEqual([{ a: small, b: large }]);
      }),
    );
  });

  it('are read as the server sends them', async () => {
    const ints = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
    await fc.assert(
      fc.asyncProperty(ints, fc.array(fc.maxSafeNat()), async (small, large) => {
        const { rows } = await sql<{ a: Buffer; b: Buffer }>`
          select array_send(${small}::int[]) as a, array_send(${large}::bigint[]) as b`.execute(database.db);
        expect([...intsOf(rows[0]!.a)]).toEqual(small);
        expect([...bigintsOf(rows[0]!.b)]).toEqual(large);
      }),
    );
  });
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRenewalLeases } from '../../../../adapters/postgres/work/leases.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';

let database: FreshDatabase;
let db: Sql;
beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  db = database.db;
});
afterAll(() => database.close());

describe('the turn to renew a secret', () => {
  it('is given to one of many at once, and to the next when it is given back', async () => {
    const id = randomUUID();
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => createRenewalLeases(db).take(id, 60_000)),
    );
    const [giveBack, ...more] = racing.filter((turn) => turn !== null);
    expect(more).toEqual([]);
    expect(await createRenewalLeases(db).take(randomUUID(), 60_000)).not.toBeNull();
    await giveBack!();
    expect(await createRenewalLeases(db).take(id, 60_000)).not.toBeNull();
  });

  it('passes on from one that died, whose late return takes nothing from the next', async () => {
    const id = randomUUID();
    const turns = createRenewalLeases(db);
    const late = (await turns.take(id, 60_000))!;
    await sql`update work.secret_renewal set until = now() - interval '1 second'
      where secret_id = ${id}`.execute(db);
    expect(await turns.take(id, 60_000)).not.toBeNull();
    await late();
    expect(await turns.take(id, 60_000)).toBeNull();
  });
});

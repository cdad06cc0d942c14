import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectionMigrations } from '../../../../adapters/postgres/projections/migration.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migration.ts';
import { createUnitLedger } from '../../../../adapters/postgres/work/unit-ledger.ts';
import { createIdSource } from '../../../../adapters/system/identity.ts';
import type { UnitLedger, UnitOutcome, VisitedUnit } from '../../../../application/ports/unit-ledger.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

let database: FreshDatabase<never>;
let ledger: UnitLedger;
const { newId } = createIdSource();
const sourceId = newId();

beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  ledger = createUnitLedger(database);
});
afterAll(() => database.close());

const visit = (outcome: UnitOutcome, fingerprint: string | null): VisitedUnit => ({
  locator: 'shop.csv',
  outcome,
  sourceId,
  fingerprint,
  code: null,
  message: null,
  bytes: 1,
  at: 5,
  attempt: 1,
});

/** What the third job knows of a unit that was indexed with the fingerprint `v1`, and then met this. */
const knownAfter = async (second: VisitedUnit) => {
  const run = (generation: number) => ({ dataSourceId, generation, judgedSince: 0 });
  const dataSourceId = newId();
  await ledger.commit(run(1), [visit('indexed', 'v1')]);
  await ledger.commit(run(2), [second]);
  return (await ledger.known(run(3), ['shop.csv'])).get('shop.csv');
};

describe('the ledger of units', () => {
  it.each(['indexed', 'unchanged'] as const)(
    'forgets the fingerprint of a unit that was %s and is to be read again',
    async (outcome) => {
      expect(await knownAfter(visit(outcome, null))).toMatchObject({ fingerprint: null, failed: false });
    },
  );

  it('keeps the fingerprint of the last success for a unit that failed', async () => {
    expect(await knownAfter(visit('failed', null))).toMatchObject({ fingerprint: 'v1', failed: true });
  });

  it('takes the fingerprint of another version', async () => {
    expect(await knownAfter(visit('indexed', 'v2'))).toMatchObject({ fingerprint: 'v2', failed: false });
  });
});

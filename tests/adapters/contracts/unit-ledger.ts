import { afterAll, beforeAll, describe } from 'vitest';
import { carriedUnitsContract } from './unit-ledger-carried.ts';
import { listingContract } from './unit-ledger-listing.ts';
import { visitsContract } from './unit-ledger-visits.ts';
import type { OpenUnitLedger } from './unit-ledger-world.ts';

/** Every promise of the port `UnitLedger`, for any adapter. */
export const unitLedgerContract = (name: string, open: () => Promise<OpenUnitLedger>): void => {
  describe(`${name} as the ledger of units`, () => {
    let opened: OpenUnitLedger;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const world = () => opened;
    visitsContract(world);
    listingContract(world);
    carriedUnitsContract(world);
  });
};

import { createMemoryUnitLedger } from '../../../adapters/memory/unit-ledger.ts';
import { unitLedgerContract } from '../contracts/unit-ledger.ts';

unitLedgerContract('the memory adapter', async () => {
  const sources = new Map<string, readonly string[]>();
  return {
    ledger: createMemoryUnitLedger((dataSourceId) => sources.get(dataSourceId) ?? []),
    catalog: async (dataSourceId, there) => void sources.set(dataSourceId, there),
    close: async () => {},
  };
});

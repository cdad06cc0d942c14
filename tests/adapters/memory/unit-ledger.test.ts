import { createMemoryUnitLedger } from '../../../adapters/memory/unit-ledger.ts';
import { unitLedgerContract } from '../contracts/unit-ledger.ts';

unitLedgerContract('the memory adapter', async () => ({
  ledger: createMemoryUnitLedger(),
  close: async () => {},
}));

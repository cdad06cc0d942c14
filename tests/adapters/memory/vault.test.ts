import { createMemoryVault } from '../../../adapters/memory/vault.ts';
import { vaultContract } from '../contracts/vault.ts';

vaultContract('memory', async () => ({ vault: createMemoryVault(), close: async () => {} }));

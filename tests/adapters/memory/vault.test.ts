import { createMemoryVault } from '../../support/memory/vault.ts';
import { vaultContract } from '../contracts/vault.ts';

vaultContract('memory', async () => ({ vault: createMemoryVault(), close: async () => {} }));

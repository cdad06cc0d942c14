import { createMemoryFileStore } from '../../support/memory/file-store.ts';
import { fileStoreContract } from '../contracts/file-store.ts';

fileStoreContract('the memory adapter', async () => ({
  store: createMemoryFileStore(),
  close: async () => {},
}));

import { createMemoryItemStore } from '../../support/memory/item-store.ts';
import { itemStoreContract } from '../contracts/item-store.ts';

itemStoreContract('the memory adapter', async () => {
  const sources = new Map<string, readonly string[]>();
  return {
    itemStore: createMemoryItemStore((dataSourceId) => sources.get(dataSourceId) ?? []),
    catalog: async (dataSourceId, there) => void sources.set(dataSourceId, there),
    close: async () => {},
  };
});
